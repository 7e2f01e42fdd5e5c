import { randomBytes } from 'node:crypto';
import * as http from 'node:http';
import type { LoadedConfig } from '../lib/config/load.ts';
import { createResolver } from '../lib/config/references.ts';
import type { Log } from '../lib/log.ts';
import { createMemoryCache } from '../lib/registry/memory-cache.ts';
import { watchStored } from '../lib/run/heal-stored.ts';
import { createMemorySessions } from '../lib/session/memory.ts';
import { createMemoryAnswers } from '../lib/session/memory-answers.ts';
import { createDirectoryStore } from '../lib/store/directory-store.ts';
import { proxySettings } from '../lib/upstream/proxy-settings.ts';
import { createMemoryLedger } from '../lib/usage/memory.ts';
import { type Composed, compose } from './compose.ts';

/** Bytes of the key that signs what travels with clients. */
const STATE_KEY_BYTES = 32;

/** Puts the gateway of one local process together. */
export function composeLocal({ config, env }: LoadedConfig, log: Log): Composed {
  const stateKey = randomBytes(STATE_KEY_BYTES);
  const proxy = proxySettings(env, (text) => log('warn', text));
  // For what goes by the global `fetch`, such as key sets; Node 24.0 cannot.
  if (proxy) http.setGlobalProxyFromEnv?.(proxy);
  const composed = compose(config, {
    log,
    proxy,
    npmrc: env['npm_config_globalconfig'],
    resolve: createResolver({ env }),
    cache: createMemoryCache(),
    sessions: createMemorySessions(),
    answers: createMemoryAnswers(),
    usage: createMemoryLedger(config.limits.per_user),
    store: config.store.dir === '' ? undefined : createDirectoryStore(config.store.dir),
    holdsStreams: true,
    upkeep: 'background',
    stateKey: async () => stateKey,
  });
  watchStored(composed.services);
  return composed;
}
