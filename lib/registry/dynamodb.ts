import { createHash } from 'node:crypto';
import type { Item, Table } from '../dynamodb.ts';
import { type Log, silent } from '../log.ts';
import { packText, unpackText } from '../packed-text.ts';
import { shownName } from '../shown-name.ts';
import type { RegistryCache, ServerSnapshot, ServerState } from './contract.ts';

const PARTITION = 'registry';
const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** Bodies that no head names any more (a writer died half-way) go by themselves; those in use are rewritten before. */
const BODY_LIFE_MS = 30 * DAY_MS;
const REWRITE_AFTER_MS = 15 * DAY_MS;

/** More in a row would mean a lost part, not a replaced one. */
const MAX_LOOKS_AGAIN = 2;

/** `#` separates; a server's name may hold any character. */
const headKey = (server: string) => encodeURIComponent(server);
const bodyKey = (server: string, body: string, part: number) =>
  `${headKey(server)}#${body}#${String(part).padStart(4, '0')}`;

/** Whose head stands under a key; undefined where no server's can. */
function serverIn(key: string): string | undefined {
  try {
    return decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

/** What changes with the catalogue, as opposed to the state of the connection. */
function bodyOf(snapshot: ServerSnapshot): string {
  const { server: _server, state: _state, error: _error, refreshedAt: _refreshedAt, ...body } = snapshot;
  return JSON.stringify(body);
}

/** What the parts of a body say; undefined where they are damaged. */
function bodyIn(parts: Item[]): Pick<ServerSnapshot, 'tools'> | undefined {
  try {
    return JSON.parse(unpackText(parts.map((part) => part['bytes'] as Uint8Array)));
  } catch {
    return undefined;
  }
}

function snapshotOf(server: string, head: Item, parts: Item[]): ServerSnapshot | undefined {
  const wanted = Number(head['parts']);
  const prefix = `${headKey(server)}#${String(head['body'])}#`;
  const found = parts.filter(({ sk }) => sk.startsWith(prefix));
  if (found.length !== wanted) return undefined;
  const body = bodyIn(found);
  if (!body) return undefined;
  const { error, refreshedAt } = head;
  return {
    server,
    state: head['state'] as ServerState,
    ...(typeof error === 'string' ? { error } : {}),
    ...(refreshedAt ? { refreshedAt: Number(refreshedAt) } : {}),
    ...body,
  };
}

/**
 * Snapshots in the one table, all read by one query. A server is a small head, rewritten at every refresh, and a body
 * in parts under a key of its own, written before the head that names it: a reader never sees half of each. An older
 * listing never replaces a newer one. A body that has been lost or damaged takes its own server away and no other, until
 * whoever read that writes the next listing; a row that is no server's is skipped. `randomId` must never repeat.
 */
export function createDynamoDbRegistryCache(
  table: Table,
  now: () => number,
  randomId: () => string,
  log: Log = silent,
): RegistryCache {
  /** Heads whose bodies could not be read when last looked at. */
  let torn = new Set<string>();
  /** Keys of rows that are no server's, so that each is told once. */
  const strange = new Set<string>();

  async function readOnce(): Promise<ServerSnapshot[]> {
    const items = await table.query(PARTITION);
    const parts = items.filter(({ sk }) => sk.includes('#'));
    const heads = items.filter(({ sk }) => !sk.includes('#'));
    const snapshots: ServerSnapshot[] = [];
    torn = new Set();
    for (const head of heads) {
      const server = serverIn(head.sk);
      if (server === undefined) {
        if (!strange.has(head.sk)) log('error', 'registry row skipped', { key: shownName(head.sk) });
        strange.add(head.sk);
        continue;
      }
      const snapshot = snapshotOf(server, head, parts);
      if (snapshot) snapshots.push(snapshot);
      else torn.add(head.sk);
    }
    return snapshots;
  }

  /** Writes a snapshot's body under a new key. */
  async function writeBody(server: string, text: string) {
    const body = randomId();
    const parts = packText(text);
    const expiresAt = Math.ceil((now() + BODY_LIFE_MS) / SECOND_MS);
    const put = (bytes: Uint8Array, part: number) =>
      table.put({ pk: PARTITION, sk: bodyKey(server, body, part), bytes, expiresAt });
    await Promise.all(parts.map(put));
    return { body, parts: parts.length, writtenAt: now() };
  }

  async function removeBody(server: string, body: unknown, parts: unknown): Promise<void> {
    if (typeof body !== 'string') return;
    const keys = Array.from({ length: Number(parts) }, (_, part) => bodyKey(server, body, part));
    await Promise.all(keys.map((sk) => table.delete(PARTITION, sk)));
  }

  return {
    async read() {
      let look = await readOnce();
      // A body was replaced between two pages of the query: another look finds the new one.
      for (let again = 0; torn.size > 0 && again < MAX_LOOKS_AGAIN; again++) look = await readOnce();
      return look;
    },

    async write(snapshot) {
      const { server, state, error, refreshedAt = 0 } = snapshot;
      const text = bodyOf(snapshot);
      const hash = createHash('sha256').update(text).digest('hex');
      const head = await table.get(PARTITION, headKey(server));
      const fresh = Number(head?.['writtenAt']) > now() - REWRITE_AFTER_MS && !torn.has(headKey(server));
      const kept = fresh && head?.['hash'] === hash;
      const same =
        kept && head['state'] === state && head['error'] === error && Number(head['refreshedAt']) === refreshedAt;
      if (same) return;
      const place = kept
        ? { body: head['body'], parts: head['parts'], writtenAt: head['writtenAt'] }
        : await writeBody(server, text);
      const { done, old } = await table.put(
        { pk: PARTITION, sk: headKey(server), state, error, refreshedAt, hash, ...place },
        {
          // What this write rests on must still stand: the same body, or none newer than this listing.
          condition: kept ? 'body = :body AND refreshedAt <= :at' : 'attribute_not_exists(pk) OR refreshedAt <= :at',
          values: { ':at': refreshedAt, ...(kept ? { ':body': head['body'] } : {}) },
        },
      );
      if (kept) return;
      if (done) {
        torn.delete(headKey(server));
        await removeBody(server, old?.['body'], old?.['parts']);
      } else await removeBody(server, place.body, place.parts);
    },
  };
}
