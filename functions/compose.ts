import { randomBytes } from 'node:crypto';
import type { Caller } from '../lib/access/caller.ts';
import { createIdentify } from '../lib/access/identify.ts';
import { exposureFor } from '../lib/access/rights.ts';
import { rightsKey } from '../lib/access/rights-key.ts';
import type { LoadedConfig } from '../lib/config/load.ts';
import { createResolver } from '../lib/config/references.ts';
import type { Log } from '../lib/log.ts';
import type { Catalogue, CatalogueView } from '../lib/registry/contract.ts';
import { createMemoryCache } from '../lib/registry/memory-cache.ts';
import { createRegistry, type Registry } from '../lib/registry/registry.ts';
import { viewCatalogue } from '../lib/registry/view.ts';
import type { Sandbox } from '../lib/sandbox/contract.ts';
import type { Identify } from '../lib/server/entry.ts';
import type { ServerServices } from '../lib/server/services.ts';
import { createMemorySessions } from '../lib/session/memory.ts';
import { createUpstream } from '../lib/upstream/create-upstream.ts';
import { createMint } from '../lib/upstream/mint.ts';
import { createMemoryLedger } from '../lib/usage/memory.ts';

/** Views of one catalogue kept at once; callers with equal rights share one. */
const MAX_VIEWS = 1000;

/** Random bytes of a session id. */
const ID_BYTES = 24;

/** Bytes of the key that signs what travels with clients. */
const STATE_KEY_BYTES = 32;

/** The whole gateway, put together. */
export interface Composed {
  services: ServerServices;
  identify: Identify;
  registry: Registry;
  close(): Promise<void>;
}

/** Puts the gateway of one process together: the only place where implementations are picked. */
export function composeLocal({ config, env }: LoadedConfig, log: Log): Composed {
  const now = Date.now;
  const resolve = createResolver({ env });
  const mint = config.auth?.mint && createMint({ mint: config.auth.mint, resolve, now });
  const clientInfo = { name: config.server.name, version: config.server.version };
  const upstreams = config.upstream.map((entry) => createUpstream(entry, { resolve, log, mint, clientInfo }));
  const upstreamOf = new Map(upstreams.map((upstream) => [upstream.name, upstream]));
  const entryOf = new Map(config.upstream.map((entry) => [entry.name, entry]));
  const registry = createRegistry({ config, upstreams, cache: createMemoryCache(), log, now });

  const exposure = (server: string, originalName: string, caller: Caller) => {
    const entry = entryOf.get(server);
    return entry ? exposureFor(entry, originalName, caller, config.groups) : 'none';
  };
  const views = new WeakMap<Catalogue, Map<string, CatalogueView>>();
  const view = (catalogue: Catalogue, caller: Caller): CatalogueView => {
    const known = views.get(catalogue) ?? new Map<string, CatalogueView>();
    views.set(catalogue, known);
    const key = rightsKey(config, caller);
    let seen = known.get(key);
    if (!seen) {
      if (known.size >= MAX_VIEWS) known.clear();
      seen = viewCatalogue(catalogue, (server, name) => exposure(server, name, caller), '');
      known.set(key, seen);
    }
    return seen;
  };

  const stateKey = randomBytes(STATE_KEY_BYTES);
  let sandbox: Promise<Sandbox> | undefined;
  const loadSandbox = async (): Promise<Sandbox> => {
    const { createSandbox } = await import('../wasm/sandbox.ts');
    const languages = config.languages.flatMap((name) =>
      name === 'javascript' ? [name, 'typescript' as const] : [name],
    );
    return createSandbox({ languages, memoryBytes: config.limits.max_memory_bytes });
  };

  const services: ServerServices = {
    config,
    log,
    now,
    catalogue: (caller) => registry.catalogue(caller),
    view,
    exposure,
    upstream: (name) => upstreamOf.get(name),
    sandbox: () => {
      sandbox ??= loadSandbox();
      return sandbox;
    },
    usage: createMemoryLedger(config.limits.per_user),
    sessions: createMemorySessions(),
    holdsStreams: true,
    onChange: (listener) => registry.onChange(listener),
    stateKey: async () => stateKey,
    randomId: () => randomBytes(ID_BYTES).toString('base64url'),
  };
  return {
    services,
    identify: createIdentify({ auth: config.auth, groups: config.groups, resolve, now, log }),
    registry,
    async close() {
      await registry.close();
      await (await sandbox?.catch(() => undefined))?.close();
    },
  };
}
