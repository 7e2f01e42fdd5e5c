import { randomBytes } from 'node:crypto';
import type { LoadedConfig } from '../lib/config/load.ts';
import { createResolver } from '../lib/config/references.ts';
import type { Log } from '../lib/log.ts';
import { createMemoryCache } from '../lib/registry/memory-cache.ts';
import { watchStored } from '../lib/run/heal-stored.ts';
import { createMemorySessions } from '../lib/session/memory.ts';
import { createMemoryAnswers } from '../lib/session/memory-answers.ts';
import { createDirectoryStore } from '../lib/store/directory-store.ts';
import { createMemoryLedger } from '../lib/usage/memory.ts';
import { type Composed, compose } from './compose.ts';

/** Bytes of the key that signs what travels with clients. */
const STATE_KEY_BYTES = 32;

/** Puts the gateway of one local process together. */
export function composeLocal({ config, env }: LoadedConfig, log: Log): Composed {
  const stateKey = randomBytes(STATE_KEY_BYTES);
  const composed = compose(config, {
    log,
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
