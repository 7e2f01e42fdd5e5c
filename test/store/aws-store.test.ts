import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { type BodyStore, createBodyStore } from '../../lib/store/s3.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { type FakeS3, startS3 } from '../support/s3-server.ts';
import { codeStoreContract } from './contract.ts';
import { tablePart } from './table-part.ts';

let dynamo: FakeDynamoDb;
let s3: FakeS3;
let doors: [Table, BodyStore][];
beforeAll(async () => {
  dynamo = await startDynamoDb();
  s3 = await startS3();
  doors = [0, 1].map(() => [createTable(dynamo.tableName), createBodyStore(s3.bucket)]);
});
afterAll(() => Promise.all([dynamo.close(), s3.close()]));

codeStoreContract(
  'the AWS store',
  async (bounds) => {
    const mark = randomUUID();
    const [one, other] = doors.map(([table, bodies]) => createAwsStore(tablePart(table, mark), bodies, bounds));
    return [one!, other!];
  },
  8,
);
