/** What a worker needs to run Go: made on the main thread, sent to any number of workers. */
export interface GoKit {
  /** Compiled once for the process; its memory's maximum carries the limit. */
  module: WebAssembly.Module;
  /** Names its mutable globals are exported under. */
  globals: string[];
  /** The guest's memory limit it was made for, bytes above `BASELINE_PAGES`. */
  memoryBytes: number;
  /** Filled by the first worker that initialises an interpreter, read by all that come after. */
  snapshot: SharedArrayBuffer;
}

/** Size of a page of wasm memory, bytes. */
export const PAGE_BYTES = 65_536;

/**
 * Pages of 64 KiB the interpreter itself takes, with room for a small run: a script's memory limit is counted above
 * them. Measured by the build's test, not less than the snapshot has.
 */
export const BASELINE_PAGES = 288;
