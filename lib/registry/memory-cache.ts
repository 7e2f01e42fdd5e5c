import { isDeepStrictEqual } from 'node:util';
import type { RegistryCache, ServerSnapshot } from './contract.ts';

/** A registry cache that lives and ends with the process. */
export function createMemoryCache(): RegistryCache {
  const kept = new Map<string, ServerSnapshot>();
  return {
    read: async () => [...kept.values()],
    async write(snapshot) {
      if (!isDeepStrictEqual(kept.get(snapshot.server), snapshot)) kept.set(snapshot.server, snapshot);
    },
  };
}
