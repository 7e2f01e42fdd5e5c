import { isDeepStrictEqual } from 'node:util';
import { ANONYMOUS, type Caller } from '../access/caller.ts';
import type { Config, UpstreamConfig } from '../config/schema.ts';
import type { Log } from '../log.ts';
import type { ListKind, Upstream } from '../upstream/contract.ts';
import { buildCatalogue } from './catalogue.ts';
import type { Catalogue, RegistryCache, ServerSnapshot } from './contract.ts';
import { createPersonalLists } from './personal-lists.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** Milliseconds the very first callers wait for servers that are still connecting, so that they see tools at once. */
const FIRST_WAIT_MS = 2000;

/** Milliseconds of quiet after a server says that its lists changed before they are read again. */
const CHANGE_QUIET_MS = 200;

export interface RegistryOptions {
  config: Config;
  /** One for each entry of `config.upstream`, by name. */
  upstreams: readonly Upstream[];
  cache: RegistryCache;
  log: Log;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Knows every upstream's catalogue at any time without making a request wait for one. */
export interface Registry {
  /** The catalogue for a caller: shared but for servers with `catalogue: per_user`. */
  catalogue(caller: Caller): Promise<Catalogue>;
  /** Lists every shared server anew, in parallel; resolves when all have answered or failed. Never throws for a server. */
  refresh(): Promise<void>;
  /** Keeps the catalogue fresh in the background from now on (the local process); returns at once. */
  start(): void;
  /** Told what has changed whenever it has; returns the function that stops the telling. */
  onChange(listener: (changed: readonly ListKind[]) => void): () => void;
  /** Ends background work and closes the upstreams. */
  close(): Promise<void>;
}

/** Makes the registry. Without `start` it works from the cache and lists only what the cache has never held. */
export function createRegistry({ config, upstreams, cache, log, now }: RegistryOptions): Registry {
  const shared = config.upstream.filter(({ catalogue }) => catalogue === 'shared');
  const upstreamOf = new Map(upstreams.map((upstream) => [upstream.name, upstream]));
  const snapshots = new Map<string, ServerSnapshot>();
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const listeners = new Set<(changed: readonly ListKind[]) => void>();
  const personal = createPersonalLists({ config, upstreamOf, now });
  const personalCatalogues = new WeakMap<
    ServerSnapshot,
    { base: Catalogue; own: ServerSnapshot[]; catalogue: Catalogue }
  >();
  const stops: (() => void)[] = [];
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;
  let started = false;
  let firstWait: Promise<unknown> | undefined;
  let built: Catalogue | undefined;

  function set(snapshot: ServerSnapshot) {
    const before = snapshots.get(snapshot.server);
    snapshots.set(snapshot.server, snapshot);
    if (isDeepStrictEqual({ ...before, refreshedAt: 0 }, { ...snapshot, refreshedAt: 0 })) {
      built &&= withRefreshedAt(built, snapshot);
      return;
    }
    built = undefined;
    const changed = changedLists(before, snapshot);
    if (changed.length > 0) for (const listener of listeners) listener(changed);
  }

  /** Lists one server; those who ask while it is being listed get that listing. */
  function refreshServer(entry: UpstreamConfig): Promise<void> {
    const under = running.get(entry.name);
    if (under !== undefined) return under;
    const work = (async () => {
      do {
        again.delete(entry.name);
        const before = snapshots.get(entry.name);
        const snapshot = await takeSnapshot(entry, upstreamOf.get(entry.name)!, ANONYMOUS, before, now());
        tell(entry, before, snapshot);
        set(snapshot);
        await cache.write(snapshot).catch(() => log('error', 'registry cache not written', { upstream: entry.name }));
      } while (again.has(entry.name));
    })().finally(() => running.delete(entry.name));
    running.set(entry.name, work);
    return work;
  }

  function tell(entry: UpstreamConfig, before: ServerSnapshot | undefined, after: ServerSnapshot) {
    const fields = { upstream: entry.name, transport: entry.transport };
    if (after.state !== 'connected') log('error', 'upstream failed', { ...fields, error: after.error });
    else if (!before) log('info', 'upstream connected', { ...fields, tools: after.tools.length });
    else if (before.state !== 'connected')
      log('info', 'upstream reconnected', { ...fields, tools: after.tools.length });
    else log('debug', 'upstream listed', { ...fields, tools: after.tools.length });
  }

  async function readCache(): Promise<void> {
    if (readAt !== undefined && now() - readAt < config.registry.cache_s * 1000) return;
    reading ??= cache
      .read()
      .then((found) => {
        for (const snapshot of found) if (shared.some(({ name }) => name === snapshot.server)) set(snapshot);
        readAt = now();
      })
      .catch((error) => {
        // What was read last is better than nothing, for another while.
        if (readAt === undefined) throw error;
        log('error', 'registry cache not read', { error: error instanceof Error ? error.message : 'unknown' });
        readAt = now();
      })
      .finally(() => {
        reading = undefined;
      });
    await reading;
  }

  async function refresh(): Promise<void> {
    if (!started && readAt === undefined) await readCache();
    await Promise.all(shared.map(refreshServer));
  }

  /** The catalogue of a caller with lists of its own; the same one while nothing changes. */
  function merged(base: Catalogue, own: ServerSnapshot[]): Catalogue {
    const known = personalCatalogues.get(own[0]!);
    if (known?.base === base && own.every((snapshot, i) => snapshot === known.own[i])) return known.catalogue;
    const catalogue = buildCatalogue(config.upstream, [...snapshots.values(), ...own]);
    personalCatalogues.set(own[0]!, { base, own, catalogue });
    return catalogue;
  }

  return {
    refresh,

    async catalogue(caller) {
      if (started) await firstWait;
      else {
        await readCache();
        await Promise.all(shared.filter(({ name }) => !snapshots.has(name)).map(refreshServer));
      }
      const own = await personal.snapshotsFor(caller);
      built ??= buildCatalogue(config.upstream, [...snapshots.values()]);
      return own.length > 0 ? merged(built, own) : built;
    },

    start() {
      if (started) return;
      started = true;
      for (const entry of shared) {
        const upstream = upstreamOf.get(entry.name)!;
        const soon = debounced(CHANGE_QUIET_MS, () => {
          // What is being listed now may be older than the change.
          if (running.has(entry.name)) again.add(entry.name);
          void refreshServer(entry);
        });
        // A loss is news only where the server was thought to be there; one met while listing is the listing's own.
        const onLost = () => {
          if (snapshots.get(entry.name)?.state === 'connected' && !running.has(entry.name)) soon.call();
        };
        stops.push(upstream.onListChanged(soon.call), upstream.onLost(onLost), soon.stop);
      }
      const all = refresh();
      firstWait = Promise.race([all, new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS).unref())]);
      stops.push(
        every(config.connector.reconnect_interval_s, () => {
          for (const entry of shared) if (snapshots.get(entry.name)?.state !== 'connected') void refreshServer(entry);
        }),
        every(config.registry.refresh_s, () => void refresh()),
      );
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async close() {
      for (const stop of stops) stop();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}

function changedLists(before: ServerSnapshot | undefined, after: ServerSnapshot): ListKind[] {
  const differs = (of: (snapshot: ServerSnapshot) => unknown, none: unknown) =>
    !isDeepStrictEqual(before ? of(before) : none, of(after));
  const changed: ListKind[] = [];
  if (differs(({ tools }) => tools, [])) changed.push('tools');
  if (differs(({ resources = [], resourceTemplates = [] }) => [resources, resourceTemplates], [[], []])) {
    changed.push('resources');
  }
  if (differs(({ prompts = [] }) => prompts, [])) changed.push('prompts');
  return changed;
}

function withRefreshedAt(catalogue: Catalogue, { server, refreshedAt }: ServerSnapshot): Catalogue {
  const servers = catalogue.servers.map((known) =>
    known.server === server && refreshedAt !== undefined ? { ...known, refreshedAt } : known,
  );
  return { version: catalogue.version, servers };
}

function every(seconds: number, work: () => void): () => void {
  const timer = setInterval(work, seconds * 1000).unref();
  return () => clearInterval(timer);
}

function debounced(ms: number, work: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    call() {
      clearTimeout(timer);
      timer = setTimeout(work, ms).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
