import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { createDynamoDbLedger } from '../../lib/usage/dynamodb.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { usageLedgerContract } from './contract.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const limits = { executions_per_minute: 3, executions_per_day: 5, tool_calls_per_minute: 0, tool_calls_per_day: 0 };

describe('use counted in DynamoDB', () => {
  let fake: FakeDynamoDb;
  beforeAll(async () => {
    fake = await startDynamoDb();
  });
  afterAll(() => fake.close());
  const environment = () => createDynamoDbLedger(createTable(fake.tableName), limits);

  let ledgers = 0;
  usageLedgerContract('the DynamoDB ledger', (wanted) => {
    const table = createTable(fake.tableName);
    const prefix = `${ledgers++}#`;
    const update: Table['update'] = (pk, sk, change) => table.update(prefix + pk, sk, change);
    return createDynamoDbLedger({ ...table, update }, wanted);
  });

  it('is bounded over many environments at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => environment().consume('race', 'execution', NOW)),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(3);
    expect(answers.find((answer) => answer)).toEqual({
      limit: 'executions_per_minute',
      allowed: 3,
      resetsAt: Date.UTC(2026, 0, 2, 3, 5),
    });
  });

  it('takes nothing from any limit when one is used up', async () => {
    const ledger = environment();
    const MINUTE = 60_000;
    for (const at of [0, 0, 0, MINUTE, MINUTE])
      expect(await ledger.consume('day', 'execution', NOW + at)).toBeUndefined();
    const used = { limit: 'executions_per_day', allowed: 5, resetsAt: Date.UTC(2026, 0, 3) };
    expect(await ledger.consume('day', 'execution', NOW + MINUTE)).toEqual(used);
    const items = await createTable(fake.tableName).query('limit#user:day');
    expect(items.map(({ sk, count }) => [sk, count])).toEqual([
      ['executions_per_day#2026-01-02T00:00:00.000Z', 5],
      ['executions_per_minute#2026-01-02T03:04:00.000Z', 3],
      ['executions_per_minute#2026-01-02T03:05:00.000Z', 2],
    ]);
    expect(items[0]?.expiresAt).toBe(Date.UTC(2026, 0, 3) / 1000);
  });

  it('is not counted where the limit is off', async () => {
    const ledger = environment();
    for (let i = 0; i < 5; i++) expect(await ledger.consume('off', 'tool_call', NOW)).toBeUndefined();
    expect(await createTable(fake.tableName).query('limit#user:off')).toEqual([]);
  });

  it('keeps anonymous callers, odd ids and very long ones apart', async () => {
    const ledger = environment();
    const users = [undefined, 'anonymous', '__proto__', 'x'.repeat(5000), `${'x'.repeat(5000)}y`, 'ключ'];
    for (const user of users) {
      for (let i = 0; i < 3; i++) expect(await ledger.consume(user, 'execution', NOW)).toBeUndefined();
      expect(await ledger.consume(user, 'execution', NOW)).toMatchObject({ limit: 'executions_per_minute' });
    }
  });
});
