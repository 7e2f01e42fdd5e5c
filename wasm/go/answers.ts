import type { Bridge, Settled } from '../guest.ts';

/** The host calls of one run as the guest's imports see them. */
export interface Answers {
  /** Forgets the run before and takes the next one's bridge. */
  begin(bridge: Bridge): void;
  start(index: number, args: string): number;
  /** Whether an answer has been fetched and not taken. */
  ready(): boolean;
  /** Whether an answer is still to come. */
  underWay(): boolean;
  /** Blocks until an answer is there, for at most so many milliseconds; false when the time is up first. */
  waitFor(timeoutMs: number): boolean;
  /** Takes the next answer, blocking until there is one. */
  take(): Settled;
}

/** Keeps answers that were fetched on behalf of Go's scheduler until a goroutine takes them. */
export function createAnswers(): Answers {
  let bridge: Bridge | undefined;
  let open = 0;
  let fetched: Settled[] = [];

  function waitFor(timeoutMs: number): boolean {
    if (!bridge) throw new Error('no run is under way');
    const answer = Number.isFinite(timeoutMs) ? bridge.waitFor(timeoutMs) : bridge.wait();
    if (!answer) return false;
    open--;
    fetched.push(answer);
    return true;
  }

  return {
    begin(next) {
      bridge = next;
      open = 0;
      fetched = [];
    },
    start(index, args) {
      if (!bridge) throw new Error('no run is under way');
      open++;
      return bridge.start(index, args);
    },
    ready: () => fetched.length > 0,
    underWay: () => open > 0,
    waitFor,
    take() {
      if (fetched.length === 0) waitFor(Number.POSITIVE_INFINITY);
      return fetched.shift()!;
    },
  };
}
