import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANY_CREDENTIALS } from './gateway-table.ts';

/** Secrets Manager's and Parameter Store's protocol in this process: what is in `values` can be read. */
export interface FakeSecrets {
  endpoint: string;
  values: Record<string, string>;
  /** Every name asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts it and points the AWS SDK of this process at it by the environment. */
export async function startSecrets(values: Record<string, string>): Promise<FakeSecrets> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { Name, SecretId, WithDecryption } = JSON.parse(text) as Record<string, unknown>;
    const key = String(Name ?? SecretId);
    asked.push(key);
    const value = values[key];
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (value === undefined || (Name && !WithDecryption)) {
      response.writeHead(400).end(JSON.stringify({ __type: 'ParameterNotFound', message: 'text of AWS' }));
    } else if (Name) response.end(JSON.stringify({ Parameter: { Name: key, Value: value } }));
    else response.end(JSON.stringify({ Name: key, SecretString: value }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SSM: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    ...ANY_CREDENTIALS,
  });
  return { endpoint, values, asked, close: () => new Promise((done) => server.close(() => done())) };
}
