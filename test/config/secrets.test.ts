import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretReaders } from '../../lib/config/secrets.ts';
import { type FakeSecrets, startSecrets } from '../support/secrets-server.ts';

const MINUTE_MS = 60_000;

describe('secrets on AWS', () => {
  let fake: FakeSecrets;
  beforeAll(async () => {
    fake = await startSecrets({ '/team/token': 'p1', db: '{"password":"s1"}' });
  });
  afterAll(() => fake.close());

  it('are read once for all who ask, and again after five minutes', async () => {
    let now = 0;
    const { readParameter, readSecret } = createSecretReaders(() => now);
    expect(await Promise.all([readParameter('/team/token'), readParameter('/team/token'), readSecret('db')])).toEqual([
      'p1',
      'p1',
      '{"password":"s1"}',
    ]);
    fake.values['/team/token'] = 'p2';
    now = 5 * MINUTE_MS - 1;
    expect(await readParameter('/team/token')).toBe('p1');
    now = 5 * MINUTE_MS;
    expect(await readParameter('/team/token')).toBe('p2');
    expect(fake.asked.sort()).toEqual(['/team/token', '/team/token', 'db']);
  });

  it('keep their old value while they cannot be read', async () => {
    let now = 0;
    const { readSecret } = createSecretReaders(() => now);
    expect(await readSecret('db')).toBe('{"password":"s1"}');
    delete fake.values['db'];
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
