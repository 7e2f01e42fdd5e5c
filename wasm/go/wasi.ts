import type { Answers } from './answers.ts';

/** The guest's memory, looked at afresh after each call into it: growing it detaches older views. */
export interface GuestMemory {
  bytes(): Uint8Array<ArrayBuffer>;
  view(): DataView<ArrayBuffer>;
}

/** Thrown through the guest when its runtime ends itself. */
export class GuestExit extends Error {}

/** Thrown through the guest when nothing in it can ever run again. */
export class GuestDeadlock extends Error {}

/** WASI's numbers for "try again", "bad descriptor" and "not permitted". */
const ERROR = { again: 6, badDescriptor: 8, denied: 63 } as const;
/** The one descriptor that exists beside standard output: readable when a host call has settled. */
const ANSWERS_DESCRIPTOR = 3;
const NON_BLOCKING = 4;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const EVENT_TYPE = { clock: 0, read: 1 } as const;
/** `getRandomValues` gives at most this many bytes at once. */
const RANDOM_BYTES_AT_ONCE = 65_536;

/** Where clock and randomness come from. */
export interface Sources {
  /** Nanoseconds since 1970. */
  now(): bigint;
  /** Nanoseconds on a clock that never goes back, the same one for all threads of the process. */
  monotonic(): bigint;
  /** Fills with random bytes, at most 65,536 at once. */
  fill(bytes: Uint8Array<ArrayBuffer>): void;
}

type Import = (...numbers: never[]) => number;

/**
 * The WASI functions Go's runtime asks for. They grant a clock, randomness and sleeping; no files, arguments,
 * environment or sockets exist. `onErrorText` hears what the runtime says when it dies.
 */
export function createWasi(
  memory: GuestMemory,
  answers: Answers,
  sources: Sources,
  onErrorText: (text: string) => void,
) {
  const decoder = new TextDecoder();
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const none = (countAt: number, sizeAt: number) => {
    memory.view().setUint32(countAt, 0, true);
    memory.view().setUint32(sizeAt, 0, true);
    return 0;
  };
  const granted: Record<string, Import> = {
    args_sizes_get: none,
    args_get: () => 0,
    environ_sizes_get: none,
    environ_get: () => 0,
    sched_yield: () => 0,
    clock_time_get(clock: number, _precision: bigint, to: number) {
      memory.view().setBigUint64(to, clock === 0 ? sources.now() : sources.monotonic(), true);
      return 0;
    },
    random_get(at: number, size: number) {
      for (let done = 0; done < size; done += RANDOM_BYTES_AT_ONCE) {
        const end = Math.min(size, done + RANDOM_BYTES_AT_ONCE);
        sources.fill(memory.bytes().subarray(at + done, at + end));
      }
      return 0;
    },
    fd_write(descriptor: number, vectors: number, count: number, writtenAt: number) {
      if (descriptor !== 1 && descriptor !== 2) return ERROR.badDescriptor;
      let written = 0;
      for (let i = 0; i < count; i++) {
        const at = memory.view().getUint32(vectors + 8 * i, true);
        const size = memory.view().getUint32(vectors + 8 * i + 4, true);
        onErrorText(decoder.decode(memory.bytes().subarray(at, at + size)));
        written += size;
      }
      memory.view().setUint32(writtenAt, written, true);
      return 0;
    },
    fd_read(descriptor: number, vectors: number, _count: number, readAt: number) {
      if (descriptor !== ANSWERS_DESCRIPTOR) return ERROR.badDescriptor;
      if (!answers.ready()) return ERROR.again;
      memory.bytes()[memory.view().getUint32(vectors, true)] = 1;
      memory.view().setUint32(readAt, 1, true);
      return 0;
    },
    fd_fdstat_get(descriptor: number, to: number) {
      if (descriptor !== ANSWERS_DESCRIPTOR) return ERROR.badDescriptor;
      memory.bytes().fill(0, to, to + 24);
      memory.view().setUint16(to + 2, NON_BLOCKING, true);
      return 0;
    },
    fd_fdstat_set_flags: () => 0,
    fd_close: () => 0,
    fd_prestat_get: () => ERROR.badDescriptor,
    proc_exit(code: number) {
      throw new GuestExit(`exit code ${code}`);
    },
    /** Go calls this when none of its goroutines can run: wait for the next answer or timer, whichever is first. */
    poll_oneoff(subscriptions: number, events: number, count: number, countAt: number) {
      const view = memory.view();
      let timeoutMs = Number.POSITIVE_INFINITY;
      let timer = -1;
      let reader = -1;
      for (let i = 0; i < count; i++) {
        const at = subscriptions + i * SUBSCRIPTION_BYTES;
        if (view.getUint8(at + 8) === EVENT_TYPE.clock) {
          timer = at;
          timeoutMs = Number(view.getBigUint64(at + 24, true)) / 1e6;
        } else if (view.getUint32(at + 16, true) === ANSWERS_DESCRIPTOR) {
          reader = at;
        }
      }
      let happened = reader >= 0 && answers.ready() ? reader : -1;
      if (happened < 0 && timeoutMs > 0) {
        if (reader >= 0 && answers.underWay()) {
          happened = answers.waitFor(timeoutMs) ? reader : timer;
        } else if (timer >= 0) {
          Atomics.wait(pause, 0, 0, timeoutMs);
          happened = timer;
        } else {
          throw new GuestDeadlock('all goroutines are asleep');
        }
      }
      if (happened >= 0) {
        memory.bytes().fill(0, events, events + EVENT_BYTES);
        view.setBigUint64(events, view.getBigUint64(happened, true), true);
        view.setUint8(events + 10, happened === reader ? EVENT_TYPE.read : EVENT_TYPE.clock);
      }
      view.setUint32(countAt, happened >= 0 ? 1 : 0, true);
      return 0;
    },
  };
  return (name: string): Import => granted[name] ?? (() => ERROR.denied);
}
