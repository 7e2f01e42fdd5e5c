import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { type BodyStore, createBodyStore } from '../../lib/store/s3.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { type FakeS3, startS3 } from '../support/s3-server.ts';
import { codeStoreContract, type OpenStore } from './contract.ts';

let dynamo: FakeDynamoDb;
let s3: FakeS3;
let doors: [Table, BodyStore][];
beforeAll(async () => {
  dynamo = await startDynamoDb();
  s3 = await startS3();
  doors = [0, 1].map(() => [createTable(dynamo.tableName), createBodyStore(s3.bucket)]);
});
afterAll(() => Promise.all([dynamo.close(), s3.close()]));

/** The table as if empty: every partition begins with the same new text. */
function part(table: Table, mark: string): Table {
  const key = (pk: string) => `${mark}${pk}`;
  const bare = <T extends { pk: string } | undefined>(item: T): T =>
    item && { ...item, pk: item.pk.slice(mark.length) };
  return {
    get: async (pk, sk) => bare(await table.get(key(pk), sk)),
    query: async (pk, options) => (await table.query(key(pk), options)).map(bare),
    put: (item, condition) => table.put({ ...item, pk: key(item.pk) }, condition),
    update: (pk, sk, change) => table.update(key(pk), sk, change),
    delete: (pk, sk, condition) => table.delete(key(pk), sk, condition),
  };
}

const open: OpenStore = async () => {
  const mark = randomUUID();
  const [one, other] = doors.map(([table, bodies]) => createAwsStore(part(table, mark), bodies));
  return [one!, other!];
};

codeStoreContract('the AWS store', open, 8);
