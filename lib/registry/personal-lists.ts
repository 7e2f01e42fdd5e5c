import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { Config } from '../config/schema.ts';
import type { Upstream } from '../upstream/contract.ts';
import type { ServerSnapshot } from './contract.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** Milliseconds a request waits for a list made for its caller; after that the server is `connecting` for the moment. */
const MAX_WAIT_MS = 5000;

/** Callers whose lists are kept; above it those not asked for longest are forgotten. */
const MAX_CALLERS = 1000;

interface Kept {
  snapshot?: ServerSnapshot;
  listedAt: number;
  under?: Promise<ServerSnapshot> | undefined;
}

export interface PersonalListsOptions {
  config: Config;
  upstreamOf: ReadonlyMap<string, Upstream>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Keeps the lists of servers with `catalogue: per_user`: made with the caller's identity, kept for that caller alone. */
export function createPersonalLists({ config, upstreamOf, now }: PersonalListsOptions) {
  const entries = config.upstream.filter(({ catalogue }) => catalogue === 'per_user');
  const callers = new Map<string, Map<string, Kept>>();

  function listsOf(caller: Caller): Map<string, Kept> {
    const key = callerKey(caller);
    const lists = callers.get(key) ?? new Map<string, Kept>();
    callers.delete(key);
    callers.set(key, lists);
    for (const oldest of callers.keys()) {
      if (callers.size <= MAX_CALLERS) break;
      callers.delete(oldest);
    }
    return lists;
  }

  /** A good list is kept as long as shared ones are; a failure is tried again after the reconnect interval. */
  function isFresh({ snapshot, listedAt }: Kept): boolean {
    const { registry, connector } = config;
    const seconds = snapshot?.state === 'connected' ? registry.refresh_s : connector.reconnect_interval_s;
    return snapshot !== undefined && now() - listedAt < seconds * 1000;
  }

  return {
    /** This caller's snapshots; waits for lists never made before, a little. */
    async snapshotsFor(caller: Caller): Promise<ServerSnapshot[]> {
      if (entries.length === 0) return [];
      const lists = listsOf(caller);
      return Promise.all(
        entries.map(async (entry) => {
          const kept = lists.get(entry.name) ?? { listedAt: 0 };
          lists.set(entry.name, kept);
          if (!isFresh(kept)) {
            kept.under ??= takeSnapshot(entry, upstreamOf.get(entry.name)!, caller, kept.snapshot, now()).then(
              (made) => {
                Object.assign(kept, { snapshot: made, listedAt: now(), under: undefined });
                return made;
              },
            );
          }
          if (kept.snapshot || !kept.under) return kept.snapshot!;
          return (await inTime(kept.under)) ?? { server: entry.name, state: 'connecting' as const, tools: [] };
        }),
      );
    },
  };
}

/** Callers without a user id differ by the token they would forward. */
function callerKey({ userId, token }: Caller): string {
  if (userId !== undefined) return `user:${userId}`;
  return token ? `token:${createHash('sha256').update(token).digest('hex')}` : '';
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
