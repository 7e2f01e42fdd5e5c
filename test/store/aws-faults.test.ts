import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTable, type Item, type Table } from '../../lib/dynamodb.ts';
import type { CodeStore } from '../../lib/store/contract.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { type BodyStore, createBodyStore } from '../../lib/store/s3.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { type FakeS3, startS3 } from '../support/s3-server.ts';
import { markOf } from './contract.ts';
import { marked, NOW } from './marked.ts';
import { runChild } from './run-child.ts';
import { type Step, stepwise } from './stepwise.ts';
import { tablePart } from './table-part.ts';

// Many steps, each over the network of this machine.
vi.setConfig({ testTimeout: 120_000 });

let dynamo: FakeDynamoDb;
let s3: FakeS3;
let table: Table;
let bodies: BodyStore;
beforeAll(async () => {
  dynamo = await startDynamoDb();
  s3 = await startS3();
  table = createTable(dynamo.tableName);
  bodies = createBodyStore(s3.bucket);
});
afterEach(() => {
  s3.fault = undefined;
});
afterAll(() => Promise.all([dynamo.close(), s3.close()]));

/** The marks of all versions of the record, the present one last; fails where one is mixed. */
async function marks(store: CodeStore): Promise<string[]> {
  const versions = await store.versions('shared', 'stats');
  const earlier = await Promise.all(versions.map(({ version }) => store.get('shared', 'stats', version)));
  const present = await store.get('shared', 'stats');
  return [...earlier, ...(present ? [present] : [])].map(markOf);
}

/** One data set, seen by a store that works and by one each of whose operations goes through `step`. */
function pair(step: Step): { sound: CodeStore; faulty: CodeStore } {
  const part = tablePart(table, randomUUID());
  return { sound: createAwsStore(part, bodies), faulty: createAwsStore(...stepwise(part, bodies, step)) };
}

const lost = new Error('lost');

/** Makes the operation of this number go wrong. */
function faultAt(at: number, kind: 'before' | 'after' | 'refused'): Step {
  let count = 0;
  return async (operation, work) => {
    count += 1;
    if (count !== at) return work();
    if (kind === 'before') throw lost;
    if (kind === 'refused') return operation === 'table.update' ? { done: false } : work();
    await work();
    throw lost;
  };
}

describe('the AWS store where one operation goes wrong', () => {
  for (const kind of ['before', 'after', 'refused'] as const) {
    it(`holds the old record or the new one, whole, wherever in a save: ${kind}`, async () => {
      for (let at = 1; at <= 8; at += 1) {
        const { sound, faulty } = pair(faultAt(at, kind));
        await sound.save('shared', 'stats', marked('one'), NOW);
        const answer = await faulty.save('shared', 'stats', marked('two'), NOW).then(
          () => 'saved',
          (error) => error as Error,
        );
        if (answer !== 'saved') expect(answer).toBe(lost);
        const kept = await marks(sound);
        expect([['one'], ['one', 'two']], `operation ${at}`).toContainEqual(kept);
        if (answer === 'saved') expect(kept).toEqual(['one', 'two']);
        await sound.save('shared', 'stats', marked('three'), NOW);
        expect(await marks(sound)).toEqual([...kept, 'three']);
      }
    });

    it(`makes no half record, wherever in a first save: ${kind}`, async () => {
      for (let at = 1; at <= 5; at += 1) {
        const { sound, faulty } = pair(faultAt(at, kind));
        const answer = await faulty.save('shared', 'stats', marked('one'), NOW).then(
          () => 'saved',
          () => 'failed',
        );
        const kept = await marks(sound);
        expect([[], ['one']]).toContainEqual(kept);
        if (answer === 'saved') expect(kept).toEqual(['one']);
        await sound.save('shared', 'stats', marked('two'), NOW);
        expect(await marks(sound)).toEqual([...kept, 'two']);
      }
    });

    it(`leaves nothing of a deleted record to a new one, wherever in a deletion: ${kind}`, async () => {
      for (let at = 1; at <= 7; at += 1) {
        const { sound, faulty } = pair(faultAt(at, kind));
        for (const mark of ['one', 'two']) await sound.save('shared', 'stats', marked(mark), NOW);
        await sound.countRun('shared', 'stats');
        const answer = await faulty.delete('shared', 'stats').catch(() => 'failed');
        const kept = await marks(sound);
        expect([[], ['one', 'two']]).toContainEqual(kept);
        if (answer === true) expect(kept).toEqual([]);
        if (kept.length > 0) continue;
        await sound.save('shared', 'stats', marked('three'), NOW);
        await sound.save('shared', 'stats', marked('four'), NOW);
        expect(await marks(sound)).toEqual(['three', 'four']);
        expect(await sound.get('shared', 'stats')).toMatchObject({ runs: 0 });
      }
    });
  }

  it('knows its own write again where the answer was lost and the next attempt is refused', async () => {
    const { sound, faulty } = pair(async (operation, work) => {
      const answer = await work();
      return operation === 'table.update' ? { done: false } : answer;
    });
    for (const mark of ['one', 'two']) {
      expect(markOf(await faulty.save('shared', 'stats', marked(mark), NOW))).toBe(mark);
    }
    expect(await marks(sound)).toEqual(['one', 'two']);
  });

  it('loses nothing to a stale read', async () => {
    const seen = new Map<string, Item | undefined>();
    let stale = 0;
    const { sound, faulty } = pair(async (operation, work, args) => {
      if (operation !== 'table.get') return work();
      const key = args.join('/');
      if (seen.has(key) && stale === 0) {
        stale += 1;
        return seen.get(key);
      }
      const item = (await work()) as Item | undefined;
      if (!seen.has(key)) seen.set(key, item);
      return item;
    });
    await faulty.save('shared', 'stats', marked('one'), NOW);
    for (const mark of ['two', 'three']) await sound.save('shared', 'stats', marked(mark), NOW);
    await faulty.save('shared', 'stats', marked('four'), NOW);
    expect(stale).toBe(1);
    expect(await marks(sound)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('reads a record that another process replaces or deletes between the two reads', async () => {
    let between: (() => Promise<unknown>) | undefined;
    const { sound, faulty } = pair(async (operation, work) => {
      const meanwhile = operation === 'bodies.get' ? between : undefined;
      if (meanwhile) between = undefined;
      await meanwhile?.();
      return work();
    });
    await sound.save('shared', 'stats', marked('one'), NOW);
    between = () => sound.save('shared', 'stats', marked('two'), NOW);
    expect(markOf(await faulty.get('shared', 'stats'))).toBe('one');
    between = () => sound.delete('shared', 'stats');
    expect(await faulty.get('shared', 'stats')).toBeUndefined();
  });

  it('puts back a body that a deletion under way takes from a new record', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const { sound, faulty } = pair(async (operation, work) => {
      if (operation === 'table.update' && meanwhile) await meanwhile();
      return work();
    });
    meanwhile = () => bodies.deleteAll('shared', 'stats');
    await faulty.save('shared', 'stats', marked('one'), NOW);
    expect(await marks(sound)).toEqual(['one']);
  });

  it('says so where a body is gone or damaged, and a save mends it', async () => {
    const { sound } = pair((_, work) => work());
    await sound.save('shared', 'stats', { code: 'return "unlike any other"' }, NOW);
    await bodies.deleteAll('shared', 'stats');
    await expect(sound.get('shared', 'stats')).rejects.toMatchObject({
      code: 'internal',
      message: 'The code of "stats" is missing from the storage: save it again.',
    });
    expect(await sound.list('shared')).toHaveLength(1);
    await sound.save('shared', 'stats', marked('one'), NOW);
    expect(markOf(await sound.get('shared', 'stats'))).toBe('one');
  });
});

describe('a list of the AWS store', () => {
  it('reads of each record a row that long texts do not lengthen, and nothing of S3', async () => {
    const done: string[] = [];
    let rows: unknown[] = [];
    const { faulty } = pair(async (operation, work) => {
      done.push(operation);
      const answer = await work();
      if (operation === 'table.query') rows = answer as unknown[];
      return answer;
    });
    for (const name of ['one', 'two', 'six']) {
      const instructions = `${name} ${'ж'.repeat(30_000)}`;
      await faulty.save('shared', name, { code: 'x'.repeat(200_000), instructions }, NOW);
    }
    done.length = 0;
    expect(await faulty.list('shared')).toHaveLength(3);
    expect(done).toEqual(['table.query']);
    for (const row of rows) expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(5000);
  });

  it('shows instructions that an earlier version of this store kept in the row', async () => {
    const [part] = stepwise(tablePart(table, randomUUID()), bodies, (_, work) => work());
    const store = createAwsStore(part, bodies);
    await store.save('shared', 'old', { code: 'return 1', instructions: 'short' }, NOW);
    const [row] = await part.query('code#shared');
    const long = 'x'.repeat(60_000);
    await part.put({ ...row!, instructions: long });
    expect(await store.get('shared', 'old')).toMatchObject({ instructions: long });
    expect(await store.save('shared', 'old', { description: 'words' }, NOW)).toMatchObject({ instructions: long });
    expect(await store.list('shared')).toMatchObject([{ instructions: 'x'.repeat(2000) }]);
  });
});

describe('the AWS store where S3 goes wrong', () => {
  it('tries again after a busy answer, a conflict and a lost answer', async () => {
    for (const fault of [
      { status: 503, code: 'SlowDown' },
      { status: 409, code: 'ConditionalRequestConflict' },
      'before',
      'after',
    ] as const) {
      let times = 1;
      s3.fault = ({ method }) => (method === 'PUT' && times-- > 0 ? fault : undefined);
      const { sound } = pair((_, work) => work());
      const code = `return ${JSON.stringify(fault)}`;
      await sound.save('shared', 'busy', { code }, NOW);
      expect(times).toBeLessThan(0);
      expect(await sound.get('shared', 'busy')).toMatchObject({ code });
    }
  });

  it('fails clearly and changes nothing where it stays away', async () => {
    const { sound } = pair((_, work) => work());
    await sound.save('shared', 'stats', marked('one'), NOW);
    for (const fault of [
      { status: 403, code: 'AccessDenied' },
      { status: 409, code: 'ConditionalRequestConflict' },
    ] as const) {
      s3.fault = ({ method }) => (method === 'PUT' ? fault : undefined);
      await expect(sound.save('shared', 'stats', marked('two'), NOW)).rejects.toMatchObject({
        code: 'internal',
        message: 'The code storage of this gateway does not answer at the moment; try again shortly.',
      });
    }
    s3.fault = undefined;
    expect(await marks(sound)).toEqual(['one']);
  });

  it('never overwrites a body: the bucket holds one version of each', async () => {
    const { sound } = pair((_, work) => work());
    for (const mark of ['one', 'two', 'one', 'two']) await sound.save('shared', 'flips', marked(mark), NOW);
    const keys = s3.keys().filter((key) => key.startsWith('code/shared/flips/'));
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(s3.versions(key)).toHaveLength(1);
    expect(await sound.versions('shared', 'flips')).toHaveLength(3);
  });

  it('refuses bytes that are not those the key promises', async () => {
    const key = await bodies.put('shared', 'damaged', 'return 1');
    const { endpoint, bucket } = s3;
    await fetch(`${endpoint}/${bucket}/${key}`, { method: 'PUT', body: 'return 2' });
    await expect(bodies.get(key)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('damaged'),
    });
  });
});

describe('the AWS store whose process is killed', () => {
  it('holds the old record or the new one, whole, wherever in a save; the next save goes through', async () => {
    const sound = createAwsStore(table, bodies);
    const child = (...args: string[]) => runChild('aws-child.ts', [dynamo.tableName, s3.bucket, ...args]);
    const all = await child('count', '2', '0', '');
    const operations = Number(all.lines.at(-1)?.split(' ')[1]);
    expect(operations).toBeGreaterThanOrEqual(8);
    for (let at = 1; at <= operations; at += 1) {
      for (const moment of ['before', 'after']) {
        await sound.delete('shared', 'stats');
        const { signal, lines } = await child('x', '2', `${at}`, moment);
        expect(signal).toBe('SIGKILL');
        const kept = await marks(sound);
        expect([[], ['x0'], ['x0', 'x1']], `killed ${moment} ${at}`).toContainEqual(kept);
        for (const line of lines) expect(kept, `killed ${moment} ${at}`).toContain(line);
        await sound.save('shared', 'stats', marked('after'), NOW);
        expect(await marks(sound)).toEqual([...kept, 'after']);
      }
    }
  });
});
