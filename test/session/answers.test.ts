import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../lib/dynamodb.ts';
import type { Answers } from '../../lib/session/answers.ts';
import { createMemoryAnswers } from '../../lib/session/memory-answers.ts';
import { createTableAnswers } from '../../lib/session/table-answers.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';

let fake: FakeDynamoDb;
beforeAll(async () => {
  fake = await startDynamoDb();
});
afterAll(() => fake.close());

const memory = createMemoryAnswers();
const places: [string, () => Answers][] = [
  ['one process', () => memory],
  ['different environments', () => createTableAnswers(createTable(fake.tableName))],
];
const never = new AbortController().signal;
const response = (result: object) => ({ jsonrpc: '2.0', id: 'q', result: result as never });
let made = 0;
const fresh = () => ({ sessionId: `s${++made}`, id: 'q' });

describe.each(places)('an answer in %s', (_where, process) => {
  it('comes to who has asked, whether it waits already or not', async () => {
    for (const early of [true, false]) {
      const question = fresh();
      await process().open(question, Date.now() + 60_000);
      const waiting = early ? process().take(question, never) : undefined;
      await process().leave(question, response({ action: 'accept' }));
      expect(await (waiting ?? process().take(question, never))).toEqual(response({ action: 'accept' }));
    }
  });

  it('is the first one, and of that session and question alone', async () => {
    const [mine, other] = [fresh(), fresh()];
    await process().open(mine, Date.now() + 60_000);
    await process().open(other, Date.now() + 60_000);
    await process().leave({ ...mine, id: 'another' }, response({ wrong: 1 }));
    await process().leave(other, response({ wrong: 2 }));
    await process().leave(mine, response({ right: 1 }));
    await process().leave(mine, response({ wrong: 3 }));
    expect(await process().take(mine, never)).toEqual(response({ right: 1 }));
  });

  it('is waited for until the signal, whose reason it then fails with', async () => {
    const question = fresh();
    const giveUp = new AbortController();
    await process().open(question, Date.now() + 60_000);
    const waiting = process().take(question, giveUp.signal);
    giveUp.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const aborted = process().take(question, giveUp.signal);
    await expect(aborted).rejects.toThrow();
  });
});

describe('an answer in the table', () => {
  it('leaves nothing there: neither when taken, nor when given up, nor when nobody asked', async () => {
    const table = createTable(fake.tableName);
    const answers = createTableAnswers(table);
    const taken = fresh();
    await answers.open(taken, 1500);
    expect(await table.query(`session#${taken.sessionId}`)).toEqual([
      { pk: `session#${taken.sessionId}`, sk: 'question#q', expiresAt: 2 },
    ]);
    await answers.leave(taken, response({}));
    await answers.take(taken, never);
    const given = fresh();
    await answers.open(given, 1500);
    await expect(answers.take(given, AbortSignal.abort(new Error('up')))).rejects.toThrow('up');
    const unasked = fresh();
    await answers.leave(unasked, response({}));
    await answers.leave({ ...unasked, id: 'x'.repeat(5000) }, response({}));
    for (const { sessionId } of [taken, given, unasked]) expect(await table.query(`session#${sessionId}`)).toEqual([]);
  });

  it('that is too large for an item is an error that says so', async () => {
    const answers = createTableAnswers(createTable(fake.tableName));
    const question = fresh();
    await answers.open(question, 1500);
    await answers.leave(question, response({ text: 'ж'.repeat(200_000) }));
    expect(await answers.take(question, never)).toMatchObject({
      id: 'q',
      error: { code: -32603, message: expect.stringContaining('larger than 350000 bytes') },
    });
  });
});
