import type { Table } from '../dynamodb.ts';
import type { JsonObject } from '../json.ts';
import type { Session, SessionStore } from './contract.ts';

const SECOND_MS = 1000;
const keyOf = (id: string) => `session#${id}`;

/** Ids are ours and short; whatever else a client sends as one was never created. */
const MAX_ID_CHARS = 256;

/** Sessions that any environment can serve, kept in the one table. */
export function createDynamoDbSessions(table: Table): SessionStore {
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
      return {
        ...(rest as unknown as Session),
        id,
        capabilities: JSON.parse(String(item['capabilities'])) as JsonObject,
        expiresAt,
      };
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
