import type { Config } from '../config/schema.ts';
import type { UsageKind } from './contract.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** One limit at one time: a count that starts anew with every window of the clock (UTC). */
export interface UsageWindow {
  /** The configuration key. */
  limit: string;
  allowed: number;
  /** Names the window among all of a user: the limit and its beginning. */
  key: string;
  /** Milliseconds since the epoch when the next one begins. */
  resetsAt: number;
}

/** Which limits count each kind of use, and over how long. */
const COUNTED: Record<UsageKind, readonly [limit: keyof Config['limits']['per_user'], lengthMs: number][]> = {
  execution: [
    ['executions_per_minute', MINUTE_MS],
    ['executions_per_day', DAY_MS],
  ],
  tool_call: [
    ['tool_calls_per_minute', MINUTE_MS],
    ['tool_calls_per_day', DAY_MS],
  ],
};

/** The windows that a use of this kind at this time is counted in; a limit of 0 is off and has none. */
export function windowsOf(limits: Config['limits']['per_user'], kind: UsageKind, now: number): UsageWindow[] {
  return COUNTED[kind]
    .filter(([limit]) => limits[limit] > 0)
    .map(([limit, lengthMs]) => {
      const start = Math.floor(now / lengthMs) * lengthMs;
      const key = `${limit}#${new Date(start).toISOString()}`;
      return { limit, allowed: limits[limit], key, resetsAt: start + lengthMs };
    });
}
