import { createHash } from 'node:crypto';
import type { Config } from '../config/schema.ts';
import type { Table } from '../dynamodb.ts';
import type { UsageLedger } from './contract.ts';
import { windowsOf } from './windows.ts';

/** A partition's key is at most 2,048 bytes; longer ids are hashed. */
const MAX_ID_BYTES = 1024;
const SECOND_MS = 1000;

/** All anonymous callers are one user, whom no id can be confused with. */
function keyOf(userId: string | undefined): string {
  if (userId === undefined) return 'limit#anonymous';
  if (Buffer.byteLength(userId) <= MAX_ID_BYTES) return `limit#user:${userId}`;
  return `limit#hash:${createHash('sha256').update(userId).digest('hex')}`;
}

/**
 * Counts in the one table. Each window is one atomic conditional `ADD`; when a later window is used up, what was
 * taken from the earlier ones is given back, so at worst a rival is refused a moment too early. The SDK repeats a request
 * whose answer was lost: the mark of the last change tells that it has been done. Only where another of the same user came in
 * between is it done twice, which is one use too many, or one given back too many.
 */
export function createDynamoDbLedger(
  table: Table,
  limits: Config['limits']['per_user'],
  randomId: () => string,
): UsageLedger {
  /** False where the window is used up. */
  async function add(pk: string, sk: string, by: number, allowed: number, resetsAt: number): Promise<boolean> {
    const mark = randomId();
    const { done } = await table.update(pk, sk, {
      expression: 'ADD #count :by SET #expires = :expires, #last = :mark',
      condition:
        'attribute_not_exists(#count) OR (#count < :allowed AND (attribute_not_exists(#last) OR #last <> :mark))',
      names: { '#count': 'count', '#expires': 'expiresAt', '#last': 'last' },
      values: { ':by': by, ':allowed': allowed, ':expires': Math.ceil(resetsAt / SECOND_MS), ':mark': mark },
    });
    return done || (await table.get(pk, sk))?.['last'] === mark;
  }

  return {
    async consume(userId, kind, now) {
      const pk = keyOf(userId);
      const windows = windowsOf(limits, kind, now);
      for (const [index, { limit, allowed, key, resetsAt }] of windows.entries()) {
        if (await add(pk, key, 1, allowed, resetsAt)) continue;
        const taken = windows.slice(0, index);
        await Promise.all(taken.map((window) => add(pk, window.key, -1, Number.MAX_SAFE_INTEGER, window.resetsAt)));
        return { limit, allowed, resetsAt };
      }
      return undefined;
    },
  };
}
