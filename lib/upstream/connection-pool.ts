import type { Connection } from './connection.ts';

/** Connections kept to one upstream; above it the one unused for longest is closed. A process weighs more than a socket. */
export const MAX_CONNECTIONS = { stdio: 16, http: 64, sse: 64 };

/** Milliseconds after which a connection that belongs to somebody is closed when unused; the shared one is kept. */
const MAX_IDLE_MS = 5 * 60_000;

/** As above, for the connection of a client session, which may hold subscriptions: for clients that never say goodbye. */
const MAX_SESSION_IDLE_MS = 30 * 60_000;

/** How often idle connections are looked for, milliseconds. */
const SWEEP_MS = 60_000;

/** Between the identity and the client session in a key. */
export const SESSION_MARK = '|';

interface Entry {
  opening: AbortController;
  connection: Promise<Connection>;
  busy: number;
  lastUsed: number;
}

/** Opens a connection that calls `forget` when it breaks; `signal` ends a handshake under way. */
type Open = (forget: () => void, signal: AbortSignal) => Promise<Connection>;

/** A connection lent to one request. */
interface Lease {
  connection: Promise<Connection>;
  /** Whether it was there before this request. */
  reused: boolean;
  release: () => void;
  /** Lends it to nobody else: the next request opens another; it closes when the last one that has it is done. */
  discard: () => void;
}

/** Keeps one upstream's connections by key, the shared one under `''`. */
export function createConnectionPool(maxConnections: number, now = Date.now) {
  const entries = new Map<string, Entry>();
  const sweeper = setInterval(() => sweep(), SWEEP_MS).unref();

  function add(key: string, open: Open): Entry {
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    const opening = new AbortController();
    const entry: Entry = { opening, connection: open(forget, opening.signal), busy: 0, lastUsed: now() };
    entry.connection.catch(forget);
    entries.set(key, entry);
    return entry;
  }

  function shut(entry: Entry): Promise<void> {
    entry.opening.abort();
    return entry.connection.then((connection) => connection.close()).catch(() => {});
  }

  function remove(key: string, entry: Entry): Promise<void> {
    if (entries.get(key) === entry) entries.delete(key);
    return shut(entry);
  }

  function sweep() {
    const idle = [...entries].filter(([, { busy }]) => busy === 0).sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    let surplus = entries.size - maxConnections;
    for (const [key, entry] of idle) {
      const maxIdle = key.includes(SESSION_MARK) ? MAX_SESSION_IDLE_MS : MAX_IDLE_MS;
      const stale = key !== '' && now() - entry.lastUsed > maxIdle;
      if (stale || surplus-- > 0) void remove(key, entry);
    }
  }

  return {
    lend(key: string, open: Open): Lease {
      const kept = entries.get(key);
      const entry = kept ?? add(key, open);
      entry.busy++;
      entry.lastUsed = now();
      if (!kept) sweep();
      let lent = true;
      return {
        connection: entry.connection,
        reused: kept !== undefined,
        release() {
          if (!lent) return;
          lent = false;
          entry.busy--;
          entry.lastUsed = now();
          if (entry.busy === 0 && entries.get(key) !== entry) void shut(entry);
        },
        discard() {
          if (entries.get(key) === entry) entries.delete(key);
        },
      };
    },
    async end(chosen: (key: string) => boolean): Promise<void> {
      await Promise.all([...entries].filter(([key]) => chosen(key)).map(([key, entry]) => remove(key, entry)));
    },
    async close(): Promise<void> {
      clearInterval(sweeper);
      await this.end(() => true);
    },
  };
}
