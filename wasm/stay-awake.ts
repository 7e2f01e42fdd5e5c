import { availableParallelism } from 'node:os';

/** How long the main thread keeps turning its loop for a worker's next message, milliseconds. */
const AWAKE_MS = 0.2;
/** With one core, turning would keep from it the very worker that is to answer. */
const MAY_TURN = availableParallelism() > 1;

let until = 0;
let turning = false;

/**
 * Keeps the event loop turning for a moment instead of letting the thread sleep: to be called when a worker that is on a
 * core has been sent something, since it will mostly say the next thing sooner than a sleeping thread wakes (50 µs). The
 * loop serves everything else meanwhile.
 */
export function stayAwake(): void {
  if (!MAY_TURN) return;
  until = performance.now() + AWAKE_MS;
  if (turning) return;
  turning = true;
  setImmediate(turn);
}

function turn(): void {
  if (performance.now() < until) setImmediate(turn);
  else turning = false;
}
