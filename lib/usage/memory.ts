import type { Config } from '../config/schema.ts';
import type { UsageLedger } from './contract.ts';
import { windowsOf } from './windows.ts';

/** Counts in this process's memory. All anonymous callers are one user; no id can be confused with theirs. */
export function createMemoryLedger(limits: Config['limits']['per_user']): UsageLedger {
  /** By window, then by user: what a window counted is dropped whole when it has passed. */
  const counts = new Map<string, { resetsAt: number; byUser: Map<string | undefined, number> }>();

  return {
    async consume(userId, kind, now) {
      for (const [key, { resetsAt }] of counts) if (resetsAt <= now) counts.delete(key);
      const windows = windowsOf(limits, kind, now);
      const used = windows.find(({ key, allowed }) => (counts.get(key)?.byUser.get(userId) ?? 0) >= allowed);
      if (used) return { limit: used.limit, allowed: used.allowed, resetsAt: used.resetsAt };
      for (const { key, resetsAt } of windows) {
        const window = counts.get(key) ?? { resetsAt, byUser: new Map() };
        window.byUser.set(userId, (window.byUser.get(userId) ?? 0) + 1);
        counts.set(key, window);
      }
      return undefined;
    },
  };
}
