import type { Table } from '../dynamodb.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { type Log, silent } from '../log.ts';
import type { Session, SessionStore } from './contract.ts';

const SECOND_MS = 1000;
const keyOf = (id: string) => `session#${id}`;

/** Ids are ours and short; whatever else a client sends as one was never created. */
const MAX_ID_CHARS = 256;

/** What a session keeps of its client's capabilities; undefined where that is damaged. */
function capabilitiesIn(text: unknown): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Sessions that any environment can serve, kept in the one table; a damaged one is none, and its client begins anew. */
export function createDynamoDbSessions(table: Table, log: Log = silent): SessionStore {
  return {
    async create(session) {
      const { id, capabilities, expiresAt, ...rest } = session;
      await table.put({
        pk: keyOf(id),
        sk: '-',
        ...rest,
        capabilities: JSON.stringify(capabilities),
        expiresAtMs: expiresAt,
        expiresAt: Math.ceil(expiresAt / SECOND_MS),
      });
    },

    async get(id, now) {
      if (id.length > MAX_ID_CHARS) return undefined;
      const item = await table.get(keyOf(id), '-');
      const expiresAt = Number(item?.['expiresAtMs']);
      // DynamoDB deletes what has expired only some time later.
      if (!item || !(expiresAt > now)) return undefined;
      const { pk: _pk, sk: _sk, expiresAtMs: _ms, ...rest } = item;
      const capabilities = capabilitiesIn(item['capabilities']);
      if (!capabilities) {
        log('error', 'session damaged', { session: id.slice(0, 8) });
        return undefined;
      }
      return { ...(rest as unknown as Session), id, capabilities, expiresAt };
    },

    async setLogLevel(id, level) {
      if (id.length > MAX_ID_CHARS) return false;
      const { done } = await table.update(keyOf(id), '-', {
        expression: 'SET #level = :level',
        condition: 'attribute_exists(pk)',
        names: { '#level': 'logLevel' },
        values: { ':level': level },
      });
      return done;
    },

    async delete(id) {
      return id.length <= MAX_ID_CHARS && (await table.delete(keyOf(id), '-'));
    },
  };
}
