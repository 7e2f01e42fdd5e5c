import { BASELINE_PAGES, type GoKit, PAGE_BYTES } from './kit.ts';

const STATE = { empty: 0, filling: 1, ready: 2 } as const;
/** State and size come first, then the globals, then the memory's bytes. */
const HEAD_BYTES = 16;
/** How long to wait for another worker's copying, milliseconds. */
const FILLING_MS = 1000;

/** Size of the shared buffer that holds a snapshot. */
export function snapshotBytes(globals: number): number {
  return HEAD_BYTES + globals * 8 + BASELINE_PAGES * PAGE_BYTES;
}

/** An instance's memory and globals, as far as a snapshot is concerned. */
export interface Snapshotable {
  memory: WebAssembly.Memory;
  globals: readonly WebAssembly.Global[];
}

/** The state of an initialised interpreter, in memory shared by all workers. */
export interface Snapshot {
  /** Whether there is one to restore. */
  ready(): boolean;
  /** Takes one, unless another worker already has or is about to. */
  capture(from: Snapshotable): void;
  /** Puts the instance back into the captured state. Its memory must not have grown since (see `pages`). */
  restore(into: Snapshotable): void;
  /** Pages of memory the captured state has. */
  pages(): number;
}

/** Opens the snapshot that travels with a kit. */
export function openSnapshot(kit: GoKit): Snapshot {
  const head = new Int32Array(kit.snapshot, 0, HEAD_BYTES / 4);
  const globals = new BigInt64Array(kit.snapshot, HEAD_BYTES, kit.globals.length);
  const bytes = new Uint8Array(kit.snapshot, HEAD_BYTES + kit.globals.length * 8);
  return {
    ready() {
      // Another worker copying takes a millisecond or two; one that died at it must not hold the others up.
      if (Atomics.load(head, 0) === STATE.filling) Atomics.wait(head, 0, STATE.filling, FILLING_MS);
      return Atomics.load(head, 0) === STATE.ready;
    },
    capture(from) {
      const empty = Atomics.compareExchange(head, 0, STATE.empty, STATE.filling) === STATE.empty;
      if (!empty && this.ready()) return;
      const memory = new Uint8Array(from.memory.buffer);
      if (memory.length > bytes.length) throw new Error('the interpreter needs more than BASELINE_PAGES');
      bytes.set(memory);
      from.globals.forEach((global, i) => {
        globals[i] = BigInt(global.value);
      });
      head[1] = memory.length / PAGE_BYTES;
      Atomics.store(head, 0, STATE.ready);
      Atomics.notify(head, 0);
    },
    restore(into) {
      const memory = new Uint8Array(into.memory.buffer);
      const size = head[1]! * PAGE_BYTES;
      memory.set(bytes.subarray(0, size));
      into.globals.forEach((global, i) => {
        global.value = typeof global.value === 'bigint' ? globals[i]! : Number(globals[i]!);
      });
    },
    pages: () => head[1]!,
  };
}
