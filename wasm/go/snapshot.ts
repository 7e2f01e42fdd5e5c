import type { Instantiated } from './instance.ts';

const STATE = { empty: 0, filling: 1, ready: 2 } as const;
/** The state word and padding come first, then the globals, then the memory's bytes. */
const HEAD_BYTES = 8;
/** How long to wait for another worker's copying, milliseconds. */
const FILLING_MS = 1000;

/** Allocates the shared buffer for a snapshot of so many globals and bytes of memory. */
export function allocateSnapshot(globals: number, memoryBytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + globals * 8 + memoryBytes);
}

/** The state every run starts from, in memory shared by all workers. */
export interface Snapshot {
  /** Takes it from an instance that has not run yet, unless another worker already has. */
  capture(from: Instantiated): void;
  /** Puts an instance back; false where its memory has grown, for it cannot shrink. */
  restore(into: Instantiated): boolean;
}

/** Opens a snapshot's buffer: whoever comes first fills it. */
export function openSnapshot(buffer: SharedArrayBuffer, globalCount: number): Snapshot {
  const state = new Int32Array(buffer, 0, 1);
  const globals = new BigInt64Array(buffer, HEAD_BYTES, globalCount);
  const bytes = new Uint8Array(buffer, HEAD_BYTES + globalCount * 8);
  return {
    capture(from) {
      if (Atomics.compareExchange(state, 0, STATE.empty, STATE.filling) !== STATE.empty) {
        // Another worker's copying takes a millisecond or two; one that died at it must not hold the others up.
        Atomics.wait(state, 0, STATE.filling, FILLING_MS);
        if (Atomics.load(state, 0) === STATE.ready) return;
      }
      bytes.set(new Uint8Array(from.memory.buffer));
      from.globals.forEach((global, i) => {
        globals[i] = BigInt(global.value);
      });
      Atomics.store(state, 0, STATE.ready);
      Atomics.notify(state, 0);
    },
    restore(into) {
      const memory = new Uint8Array(into.memory.buffer);
      if (memory.length !== bytes.length) return false;
      memory.set(bytes);
      into.globals.forEach((global, i) => {
        global.value = typeof global.value === 'bigint' ? globals[i]! : Number(globals[i]!);
      });
      return true;
    },
  };
}
