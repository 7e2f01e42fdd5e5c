import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { createTableKey } from '../../lib/session/table-key.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';

describe('a key that environments share', () => {
  let fake: FakeDynamoDb;
  let table: Table;
  beforeAll(async () => {
    fake = await startDynamoDb();
    table = createTable(fake.tableName);
  });
  afterAll(() => fake.close());

  let made = 0;
  const random = () => new Uint8Array(32).fill(++made);

  it('is one, whichever of many at once came first, and stays', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createTableKey(table, random)()));
    expect(keys[0]).toHaveLength(32);
    for (const key of keys) expect(key).toEqual(keys[0]);
    expect(await createTableKey(table, random)()).toEqual(keys[0]);
  });

  it('is read once, and again after a failure', async () => {
    let reads = 0;
    const failing: Table = {
      ...table,
      async get(pk, sk) {
        if (++reads === 1) throw new Error('away');
        return table.get(pk, sk);
      },
    };
    const key = createTableKey(failing, random);
    await expect(key()).rejects.toThrow('away');
    expect(await key()).toEqual(await key());
    expect(reads).toBe(2);
  });

  it('is the one that stands in the table where the answer to putting it was lost', async () => {
    await table.delete('key#request-state', '-');
    const lossy: Table = {
      ...table,
      // As the SDK's second attempt sees it: the first one has been done.
      async put(item, condition) {
        await table.put(item, condition);
        return table.put(item, condition);
      },
    };
    const key = await createTableKey(lossy, random)();
    expect(await createTableKey(table, random)()).toEqual(key);
  });
});
