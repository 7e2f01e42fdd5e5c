import dynalite from 'dynalite';
import { ANY_CREDENTIALS, createGatewayTable } from './gateway-table.ts';

/** DynamoDB's protocol in this process, with the gateway's table in it. */
export interface FakeDynamoDb {
  tableName: string;
  endpoint: string;
  close(): Promise<void>;
}

/** Starts dynalite and points the AWS SDK of this process at it by the environment. */
export async function startDynamoDb(): Promise<FakeDynamoDb> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, ...ANY_CREDENTIALS });
  const tableName = await createGatewayTable();
  return { tableName, endpoint, close: () => new Promise((done) => server.close(() => done())) };
}
