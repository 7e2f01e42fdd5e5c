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
 * taken from the earlier ones is given back, so at worst a rival is refused a moment too early.
 */
export function createDynamoDbLedger(table: Table, limits: Config['limits']['per_user']): UsageLedger {
  const add = (pk: string, sk: string, by: number, allowed: number, resetsAt: number) =>
    table.update(pk, sk, {
      expression: 'ADD #count :by SET #expires = :expires',
      condition: 'attribute_not_exists(#count) OR #count < :allowed',
      names: { '#count': 'count', '#expires': 'expiresAt' },
      values: { ':by': by, ':allowed': allowed, ':expires': Math.ceil(resetsAt / SECOND_MS) },
    });

  return {
    async consume(userId, kind, now) {
      const pk = keyOf(userId);
      const windows = windowsOf(limits, kind, now);
      for (const [index, { limit, allowed, key, resetsAt }] of windows.entries()) {
        const { done } = await add(pk, key, 1, allowed, resetsAt);
        if (done) continue;
        const taken = windows.slice(0, index);
        await Promise.all(taken.map((window) => add(pk, window.key, -1, Number.MAX_SAFE_INTEGER, window.resetsAt)));
        return { limit, allowed, resetsAt };
      }
      return undefined;
    },
  };
}
