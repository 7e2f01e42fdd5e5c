import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../lib/dynamodb.ts';
import type { Log } from '../../lib/log.ts';
import type { Session, SessionStore } from '../../lib/session/contract.ts';
import { createDynamoDbSessions } from '../../lib/session/dynamodb.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';

const session: Session = {
  id: 'abc',
  userId: 'ada',
  protocolVersion: '2025-11-25',
  clientName: 'test',
  capabilities: { roots: { listChanged: true } },
  createdAt: 1000,
  expiresAt: 5500,
};

describe('sessions in DynamoDB', () => {
  let fake: FakeDynamoDb;
  let sessions: SessionStore;
  beforeAll(async () => {
    fake = await startDynamoDb();
    sessions = createDynamoDbSessions(createTable(fake.tableName));
  });
  afterAll(() => fake.close());

  it('are read in another environment as they were created', async () => {
    await sessions.create(session);
    const elsewhere = createDynamoDbSessions(createTable(fake.tableName));
    expect(await elsewhere.get('abc', 2000)).toEqual(session);
  });

  it('have ended when their time is over, although DynamoDB deletes them later', async () => {
    await sessions.create(session);
    expect(await sessions.get('abc', 5499)).toBeDefined();
    expect(await sessions.get('abc', 5500)).toBeUndefined();
    expect(await createTable(fake.tableName).get('session#abc', '-')).toMatchObject({ expiresAt: 6 });
  });

  it('keep the level of log messages, and are not made anew by it when they have ended', async () => {
    const elsewhere = createDynamoDbSessions(createTable(fake.tableName));
    await sessions.create({ ...session, id: 'logs' });
    expect(await elsewhere.setLogLevel('logs', 'warning')).toBe(true);
    expect(await sessions.get('logs', 2000)).toEqual({ ...session, id: 'logs', logLevel: 'warning' });
    await sessions.delete('logs');
    expect(await elsewhere.setLogLevel('logs', 'debug')).toBe(false);
    expect(await sessions.get('logs', 2000)).toBeUndefined();
  });

  it('end once', async () => {
    await sessions.create({ ...session, id: 'once' });
    expect([await sessions.delete('once'), await sessions.delete('once')]).toEqual([true, false]);
    expect(await sessions.get('once', 2000)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{"roots":'],
    ['no object', '[]'],
    ['missing', undefined],
  ])('are none where what they keep of the client is %s, which the log tells', async (_what, capabilities) => {
    const lines: object[] = [];
    const table = createTable(fake.tableName);
    const { capabilities: _own, ...rest } = session;
    await table.put({ pk: 'session#harmed', sk: '-', ...rest, capabilities, expiresAtMs: 5500, expiresAt: 6 });
    const log: Log = (level, msg, fields) => void lines.push({ level, msg, ...fields });
    expect(await createDynamoDbSessions(table, log).get('harmed', 2000)).toBeUndefined();
    expect(lines).toEqual([{ level: 'error', msg: 'session damaged', session: 'harmed' }]);
  });

  it('are not found by an id that was never one', async () => {
    for (const id of ['', 'x'.repeat(5000), '__proto__', 'session#abc']) {
      expect(await sessions.get(id, 0)).toBeUndefined();
      expect(await sessions.setLogLevel(id, 'info')).toBe(false);
      expect(await sessions.delete(id)).toBe(false);
    }
  });
});
