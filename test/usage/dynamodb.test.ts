import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { createDynamoDbLedger } from '../../lib/usage/dynamodb.ts';
import { startFaultProxy } from '../e2e/lambda/fault-proxy.ts';
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
  const environment = () => createDynamoDbLedger(createTable(fake.tableName), limits, randomUUID);

  let ledgers = 0;
  usageLedgerContract('the DynamoDB ledger', (wanted) => {
    const table = createTable(fake.tableName);
    const prefix = `${ledgers++}#`;
    const update: Table['update'] = (pk, sk, change) => table.update(prefix + pk, sk, change);
    const get: Table['get'] = (pk, sk) => table.get(prefix + pk, sk);
    return createDynamoDbLedger({ ...table, update, get }, wanted, randomUUID);
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

  it('is counted once where the answer was lost and the SDK asked again', async () => {
    const proxy = await startFaultProxy(fake.endpoint);
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
    try {
      const ledger = environment();
      // The first answer to every change is lost; each has a mark of its own.
      const lost = new Set<string>();
      proxy.fault = ({ headers, body }) => {
        if (!/UpdateItem/.test(String(headers['x-amz-target'])) || lost.has(body)) return undefined;
        lost.add(body);
        return 'lost';
      };
      for (let turn = 0; turn < 3; turn++) expect(await ledger.consume('lossy', 'execution', NOW)).toBeUndefined();
      expect(await ledger.consume('lossy', 'execution', NOW)).toMatchObject({ limit: 'executions_per_minute' });
      const items = await createTable(fake.tableName).query('limit#user:lossy');
      expect(items.map(({ count }) => count)).toEqual([3, 3]);
      expect(proxy.faults).toBe(7);
    } finally {
      process.env['AWS_ENDPOINT_URL_DYNAMODB'] = fake.endpoint;
      proxy.close();
    }
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
