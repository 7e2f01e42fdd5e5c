import { randomBytes } from 'node:crypto';
import type { Caller } from '../lib/access/caller.ts';
import { createIdentify } from '../lib/access/identify.ts';
import { exposureFor, mayKnowOf } from '../lib/access/rights.ts';
import { rightsKey } from '../lib/access/rights-key.ts';
import type { Resolve } from '../lib/config/references.ts';
import type { Config } from '../lib/config/schema.ts';
import type { Log } from '../lib/log.ts';
import type { Catalogue, CatalogueView, RegistryCache } from '../lib/registry/contract.ts';
import { createRegistry, type Registry } from '../lib/registry/registry.ts';
import { viewCatalogue } from '../lib/registry/view.ts';
import type { Sandbox } from '../lib/sandbox/contract.ts';
import type { Identify } from '../lib/server/entry.ts';
import type { ServerServices } from '../lib/server/services.ts';
import type { Answers } from '../lib/session/answers.ts';
import type { SessionStore } from '../lib/session/contract.ts';
import type { CodeStore } from '../lib/store/contract.ts';
import { createUpstream } from '../lib/upstream/create-upstream.ts';
import { createMint } from '../lib/upstream/mint.ts';
import type { ProxySettings } from '../lib/upstream/proxy-settings.ts';
import type { UsageLedger } from '../lib/usage/contract.ts';
import type { SandboxOptions } from '../wasm/sandbox.ts';

/** Views of one catalogue kept at once; callers with equal rights share one. */
const MAX_VIEWS = 1000;

/** Random bytes of a session id. */
const ID_BYTES = 24;

/** The whole gateway, put together. */
export interface Composed {
  services: ServerServices;
  identify: Identify;
  registry: Registry;
  close(): Promise<void>;
}

/** What differs between the local process and AWS. */
export interface Parts {
  log: Log;
  resolve: Resolve;
  cache: RegistryCache;
  sessions: SessionStore;
  answers: Answers;
  usage: UsageLedger;
  store: CodeStore | undefined;
  /** Whether open streams may be held. */
  holdsStreams: boolean;
  upkeep: NonNullable<SandboxOptions['upkeep']>;
  stateKey: ServerServices['stateKey'];
  /** Proxies between the gateway and upstreams over HTTP. */
  proxy?: ProxySettings | undefined;
  /** The global npmrc of the npm that started the gateway, for the `npx` of stdio servers. */
  npmrc?: string | undefined;
  /** Processes kept of one stdio server; absent: as many as the upstream's own bound. */
  maxProcesses?: number;
}

/** Puts a gateway together from its parts; `compose-local.ts` and `compose-aws.ts` pick them. */
export function compose(config: Config, parts: Parts): Composed {
  const now = Date.now;
  const { log, resolve, sessions, answers, usage, store, holdsStreams, proxy, npmrc, maxProcesses } = parts;
  const mint = config.auth?.mint && createMint({ mint: config.auth.mint, resolve, now });
  const clientInfo = { name: config.server.name, version: config.server.version };
  const upstreams = config.upstream.map((entry) =>
    createUpstream(entry, { resolve, log, mint, proxy, npmrc, clientInfo, maxProcesses }),
  );
  const upstreamOf = new Map(upstreams.map((upstream) => [upstream.name, upstream]));
  const entryOf = new Map(config.upstream.map((entry) => [entry.name, entry]));
  const registry = createRegistry({ config, upstreams, cache: parts.cache, log, now });

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
      const knows = (server: string) => {
        const entry = entryOf.get(server);
        return entry !== undefined && mayKnowOf(entry, caller, config.groups);
      };
      seen = viewCatalogue(catalogue, (server, name) => exposure(server, name, caller), knows, '');
      known.set(key, seen);
    }
    return seen;
  };

  let sandbox: Promise<Sandbox> | undefined;
  const loadSandbox = async (): Promise<Sandbox> => {
    const { createSandbox } = await import('../wasm/sandbox.ts');
    const languages = config.languages.flatMap((name) =>
      name === 'javascript' ? [name, 'typescript' as const] : [name],
    );
    return createSandbox({ languages, memoryBytes: config.limits.max_memory_bytes, upkeep: parts.upkeep });
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
    usage,
    ...(store && { store }),
    sessions,
    answers,
    holdsStreams,
    onChange: (listener) => registry.onChange(listener),
    stateKey: parts.stateKey,
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
