import type { RunServices } from './services.ts';

/** Milliseconds an upstream has to answer: `limits.call_timeout_ms`, but never beyond a deadline (epoch milliseconds). */
export function timeLeft({ config, now }: RunServices, deadline = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.min(config.limits.call_timeout_ms, deadline - now()));
}
