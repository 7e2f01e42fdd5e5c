import type { Caller } from './caller.ts';

/** The longest a timer waits, milliseconds; a longer one would ring at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls back when a caller's token has ended, for what outlives the request it came with; returns what calls that off. */
export function whenTokenEnds({ tokenEndsAt }: Caller, now: () => number, ended: () => void): () => void {
  if (tokenEndsAt === undefined) return () => {};
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = tokenEndsAt - now();
    if (left <= 0) ended();
    else timer = setTimeout(wait, Math.min(left, MAX_TIMER_MS)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
