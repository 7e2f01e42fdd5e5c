import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { bundleFunction } from '../../../infra/bundle.ts';
import { CodeModeError, type ErrorCode } from '../../../lib/errors.ts';
import type { CodeStore } from '../../../lib/store/contract.ts';
import { codeStoreContract } from '../../store/contract.ts';
import type { FakeDynamoDb } from '../../support/dynamodb.ts';
import { startDynamoDb } from '../../support/dynamodb.ts';
import type { Environment } from '../../support/lambda/environment.ts';
import { type FakeS3, startS3 } from '../../support/s3-server.ts';
import { startRuntimeClient } from './environment.ts';
import type { StoreAnswer, StoreEvent } from './store-function.ts';

let dynamo: FakeDynamoDb;
let s3: FakeS3;
let environments: Environment[];

beforeAll(async () => {
  [dynamo, s3] = await Promise.all([startDynamoDb(), startS3()]);
  const folder = bundleFunction('e2e-store', { entry: 'test/e2e/lambda/store-function.ts' });
  const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  const env = { ...Object.fromEntries(aws), TABLE_NAME: dynamo.tableName, BUCKET_NAME: s3.bucket };
  environments = await Promise.all([0, 1].map(() => startRuntimeClient(folder, env as Record<string, string>)));
});

afterAll(async () => {
  await Promise.all((environments ?? []).map((environment) => environment.kill()));
  await Promise.all([dynamo?.close(), s3?.close()]);
});

/** The store as it is reached in one environment. */
function through(environment: Environment, part: Pick<StoreEvent, 'mark' | 'bounds'>): CodeStore {
  const doing =
    (operation: keyof CodeStore) =>
    async (...args: unknown[]) => {
      const answer = (await environment.invoke({ ...part, operation, args })) as StoreAnswer;
      if ('error' in answer) throw new CodeModeError(answer.error.code as ErrorCode, answer.error.message);
      return answer.value as never;
    };
  return {
    scopes: doing('scopes'),
    list: doing('list'),
    get: doing('get'),
    versions: doing('versions'),
    save: doing('save'),
    countRun: doing('countRun'),
    markInvalid: doing('markInvalid'),
    delete: doing('delete'),
  };
}

codeStoreContract(
  'the AWS store in two environments',
  async (bounds) => {
    const part = { mark: randomUUID(), ...(bounds && { bounds }) };
    return [through(environments[0]!, part), through(environments[1]!, part)];
  },
  8,
);
