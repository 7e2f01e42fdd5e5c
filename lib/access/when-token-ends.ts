import type { Caller } from './caller.ts';

/** The longest a timer waits, milliseconds (24 days); a longer one would ring at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when a caller's token has ended, or after 24 days, for what outlives the request it came with; returns what
 * calls that off.
 */
export function whenTokenEnds({ tokenEndsAt }: Caller, now: () => number, ended: () => void): () => void {
  if (tokenEndsAt === undefined) return () => {};
  const timer = setTimeout(ended, Math.min(tokenEndsAt - now(), MAX_TIMER_MS)).unref();
  return () => clearTimeout(timer);
}
