import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretReaders } from '../../lib/config/secrets.ts';

const MINUTE_MS = 60_000;

describe('secrets on AWS', () => {
  const asked: string[] = [];
  const known: Record<string, string> = { '/team/token': 'p1', db: '{"password":"s1"}' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const key = String(body['Name'] ?? body['SecretId']);
    asked.push(key);
    const value = known[key];
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (value === undefined) {
      response.writeHead(400).end(JSON.stringify({ __type: 'ParameterNotFound', message: 'secret text of AWS' }));
    } else if (body['Name']) {
      expect(body['WithDecryption']).toBe(true);
      response.end(JSON.stringify({ Parameter: { Name: key, Value: value } }));
    } else response.end(JSON.stringify({ Name: key, SecretString: value }));
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SSM: endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
  });
  afterAll(() => new Promise<void>((done) => server.close(() => done())));

  it('are read once for all who ask, and again after five minutes', async () => {
    let now = 0;
    const { readParameter, readSecret } = createSecretReaders(() => now);
    asked.length = 0;
    expect(await Promise.all([readParameter('/team/token'), readParameter('/team/token'), readSecret('db')])).toEqual([
      'p1',
      'p1',
      '{"password":"s1"}',
    ]);
    known['/team/token'] = 'p2';
    now = 5 * MINUTE_MS - 1;
    expect(await readParameter('/team/token')).toBe('p1');
    now = 5 * MINUTE_MS;
    expect(await readParameter('/team/token')).toBe('p2');
    expect(asked.sort()).toEqual(['/team/token', '/team/token', 'db']);
  });

  it('keep their old value while they cannot be read', async () => {
    let now = 0;
    const { readSecret } = createSecretReaders(() => now);
    expect(await readSecret('db')).toBe('{"password":"s1"}');
    delete known['db'];
    now = 10 * MINUTE_MS;
    expect(await readSecret('db')).toBe('{"password":"s1"}');
  });

  it('that are not there are named in the error, with what to do', async () => {
    const { readParameter } = createSecretReaders(() => 0);
    await expect(readParameter('/none')).rejects.toThrow(
      'the parameter "/none" cannot be read (ParameterNotFound); check that it exists and may be read',
    );
  });
});
