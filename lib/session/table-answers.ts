import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../dynamodb.ts';
import type { JsonObject } from '../json.ts';
import type { Answers, Question } from './answers.ts';

/** How often the table is asked for the answer, milliseconds: a person has been asked, and each look costs a read. */
const LOOK_MS = 500;

/** An item holds 400 kB; a larger answer becomes an error that says so. */
const MAX_ANSWER_BYTES = 350_000;

const SECOND_MS = 1000;

/** Ids are ours and short; whatever else a client sends as one was never asked. */
const MAX_ID_CHARS = 256;

const pkOf = ({ sessionId }: Question) => `session#${sessionId}`;
const skOf = ({ id }: Question) => `question#${id}`;

/** Answers by way of the one table, in the partition of their session. What nobody asked leaves nothing there. */
export function createTableAnswers(table: Table): Answers {
  return {
    async open(question, expiresAt) {
      await table.put({ pk: pkOf(question), sk: skOf(question), expiresAt: Math.ceil(expiresAt / SECOND_MS) });
    },

    async take(question, signal) {
      try {
        for (;;) {
          signal.throwIfAborted();
          const item = await table.get(pkOf(question), skOf(question));
          if (item?.['answer'] !== undefined) return JSON.parse(String(item['answer'])) as JsonObject;
          await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
        }
      } finally {
        // It expires by itself, should this fail.
        await table.delete(pkOf(question), skOf(question)).catch(() => false);
      }
    },

    async leave(question, response) {
      if (question.id.length > MAX_ID_CHARS) return;
      const text = JSON.stringify(response);
      await table.update(pkOf(question), skOf(question), {
        expression: 'SET #answer = :answer',
        condition: 'attribute_exists(pk) AND attribute_not_exists(#answer)',
        names: { '#answer': 'answer' },
        values: { ':answer': Buffer.byteLength(text) > MAX_ANSWER_BYTES ? tooLarge(response) : text },
      });
    },
  };
}

function tooLarge({ id = null }: JsonObject): string {
  const message = `The client's answer is larger than ${MAX_ANSWER_BYTES} bytes, which cannot be carried here`;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } });
}
