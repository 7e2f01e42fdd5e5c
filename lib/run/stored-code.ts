import type { Caller } from '../access/caller.ts';
import { CodeModeError } from '../errors.ts';
import type { CodeStore } from '../store/contract.ts';
import type { RunServices } from './services.ts';

/** The store, or `store_disabled`. */
export function storeOf(services: Pick<RunServices, 'store'>): CodeStore {
  if (services.store) return services.store;
  throw new CodeModeError('store_disabled', 'no code store is configured (store.dir): run the code without a name');
}

/** Whose records a caller works on (`store.scope`); those without an identity share one scope. */
export function scopeOf({ config }: Pick<RunServices, 'config'>, caller: Caller): string {
  return config.store.scope === 'user' && caller.userId !== undefined ? `user:${caller.userId}` : 'shared';
}
