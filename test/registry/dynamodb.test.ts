import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import type { Log } from '../../lib/log.ts';
import type { ServerSnapshot } from '../../lib/registry/contract.ts';
import { createDynamoDbRegistryCache } from '../../lib/registry/dynamodb.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';

const DAY_MS = 86_400_000;

const snapshot = (server: string, refreshedAt: number, ...tools: string[]): ServerSnapshot => ({
  server,
  state: 'connected',
  refreshedAt,
  tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
});

describe('the registry in DynamoDB', () => {
  let fake: FakeDynamoDb;
  let table: Table;
  let now = 0;
  beforeAll(async () => {
    fake = await startDynamoDb();
    table = createTable(fake.tableName);
  });
  afterAll(() => fake.close());
  const clear = async () => {
    for (const { sk } of await table.query('registry')) await table.delete('registry', sk);
  };
  beforeEach(async () => {
    now = 1_000_000;
    await clear();
  });

  const cache = (over: Table = table) => createDynamoDbRegistryCache(over, () => now, randomUUID);

  /** The table, counting what is written. */
  function counting() {
    const writes: string[] = [];
    const over: Table = {
      ...table,
      put: (item, condition) => {
        writes.push(item.sk.replace(/#.*/, '#body'));
        return table.put(item, condition);
      },
    };
    return { writes, over };
  }

  it('gives back every server as it was written', async () => {
    const full: ServerSnapshot = {
      server: 'a#b /ü',
      state: 'stale',
      error: 'down',
      refreshedAt: 5,
      tools: [{ name: 't', inputSchema: {}, _meta: { x: 1 }, extra: [null] }],
      resources: [{ uri: 'x:y' }],
      resourceTemplates: [],
      prompts: [{ name: 'p' }],
      capabilities: { tools: {} },
    };
    const failed: ServerSnapshot = { server: 'b', state: 'failed', error: 'refused', tools: [] };
    await cache().write(full);
    await cache().write(failed);
    const read = await cache().read();
    expect(read.sort((a, b) => a.server.localeCompare(b.server))).toEqual([full, failed]);
  });

  it('does without a row whose key is no name of a server, and tells the log once', async () => {
    const lines: object[] = [];
    const log: Log = (level, msg, fields) => void lines.push({ level, msg, ...fields });
    await cache().write(snapshot('a', 1, 't'));
    await table.put({ pk: 'registry', sk: '100%', parts: 0 });
    const other = createDynamoDbRegistryCache(table, () => now, randomUUID, log);
    expect(await other.read()).toEqual([snapshot('a', 1, 't')]);
    expect(await other.read()).toEqual([snapshot('a', 1, 't')]);
    expect(lines).toEqual([{ level: 'error', msg: 'registry row skipped', key: '100%' }]);
  });

  it('splits what is larger than an item', async () => {
    const noise = Array.from({ length: 40 }, () => randomBytes(20_000).toString('base64'));
    await cache().write(snapshot('big', 1, ...noise));
    expect((await table.query('registry')).length).toBeGreaterThan(2);
    expect((await cache().read())[0]?.tools.map(({ name }) => name)).toEqual(noise);
  });

  it.each<[string, (sk: string) => Promise<unknown>]>([
    ['lost', (sk) => table.delete('registry', sk)],
    ['damaged', (sk) => table.put({ pk: 'registry', sk, bytes: Buffer.from('no gzip') })],
  ])(
    'does without a body that is %s, for that server alone, until the same listing is written again',
    async (_how, harm) => {
      await cache().write(snapshot('a', 1, 't'));
      await cache().write(snapshot('b', 1, 't'));
      const bodies = (await table.query('registry', { prefix: 'a#' })).map(({ sk }) => sk);
      for (const sk of bodies) await harm(sk);
      const other = cache();
      expect(await other.read()).toEqual([snapshot('b', 1, 't')]);
      await other.write(snapshot('a', 2, 't'));
      expect(await cache().read()).toEqual([snapshot('a', 2, 't'), snapshot('b', 1, 't')]);
    },
  );

  it('writes nothing where nothing changed, and only the small head where a listing said the same again', async () => {
    const { writes, over } = counting();
    await cache(over).write(snapshot('a', 1, 't'));
    expect(writes.splice(0)).toEqual(['a#body', 'a']);
    await cache(over).write(snapshot('a', 1, 't'));
    expect(writes).toEqual([]);
    await cache(over).write(snapshot('a', 2, 't'));
    expect(writes.splice(0)).toEqual(['a']);
    expect((await cache().read())[0]?.refreshedAt).toBe(2);
    await cache(over).write(snapshot('a', 3, 'u'));
    expect(writes).toEqual(['a#body', 'a']);
    expect(await table.query('registry')).toHaveLength(2);
  });

  it('marks a server stale without rewriting its catalogue, and never over a newer listing', async () => {
    const { writes, over } = counting();
    await cache(over).write(snapshot('a', 5, 't'));
    await cache(over).write({ ...snapshot('a', 5, 't'), state: 'stale', error: 'down' });
    expect(writes).toEqual(['a#body', 'a', 'a']);
    expect(await cache().read()).toMatchObject([{ state: 'stale', error: 'down', tools: [{ name: 't' }] }]);
    await cache().write(snapshot('a', 6, 'u'));
    await cache().write({ ...snapshot('a', 5, 't'), state: 'stale', error: 'down' });
    await cache().write({ server: 'a', state: 'failed', error: 'down', tools: [] });
    expect(await cache().read()).toEqual([snapshot('a', 6, 'u')]);
    expect(await table.query('registry')).toHaveLength(2);
  });

  it('rewrites a body well before its time is over', async () => {
    await cache().write(snapshot('a', 1, 't'));
    now += 20 * DAY_MS;
    await cache().write(snapshot('a', 2, 't'));
    const body = (await table.query('registry')).find(({ sk }) => sk.includes('#'));
    expect(body?.expiresAt).toBe(Math.ceil((now + 30 * DAY_MS) / 1000));
  });

  it('treats a server whose body is lost as never listed', async () => {
    await cache().write(snapshot('a', 1, 't'));
    await cache().write(snapshot('b', 1, 't'));
    const lost = (await table.query('registry')).find(({ sk }) => sk.startsWith('a#'));
    await table.delete('registry', lost?.sk ?? '');
    expect((await cache().read()).map(({ server }) => server)).toEqual(['b']);
  });

  it('keeps one whole catalogue, the newest, in whatever order environments refresh', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ at: fc.nat({ max: 3 }), tools: fc.constantFrom(['a'], ['b'], ['a', 'b']) }), {
          minLength: 2,
          maxLength: 4,
        }),
        async (scheduler, listings) => {
          await clear();
          const wait = <T>(name: string, work: () => Promise<T>) =>
            scheduler.schedule(Promise.resolve(), name).then(work);
          const slow: Table = {
            get: (...args) => wait('get', () => table.get(...args)),
            query: (...args) => wait('query', () => table.query(...args)),
            put: (...args) => wait('put', () => table.put(...args)),
            update: (...args) => wait('update', () => table.update(...args)),
            delete: (...args) => wait('delete', () => table.delete(...args)),
          };
          const first = snapshot('a', 1, 'first');
          await cache().write(first);
          const given = listings.map(({ at, tools }) => snapshot('a', at + 1, ...tools));
          const seen: ServerSnapshot[][] = [];
          const readers = [0, 1, 2].map(async () => seen.push(await cache(slow).read()));
          await scheduler.waitFor(Promise.all([...given.map((one) => cache(slow).write(one)), ...readers]));
          for (const read of seen) {
            expect(read).toHaveLength(1);
            expect([first, ...given]).toContainEqual(read[0]);
          }
          const last = await cache().read();
          const newest = Math.max(...given.map(({ refreshedAt = 0 }) => refreshedAt));
          expect([first, ...given].filter((one) => one.refreshedAt === newest)).toContainEqual(last[0]);
          expect(await table.query('registry')).toHaveLength(2);
        },
      ),
      { numRuns: 60 },
    );
  });
});
