/** What a worker needs to run Go: made on the main thread, sent to any number of workers. */
export interface GoKit {
  /** Compiled once for the process; its memory's maximum carries the limit. */
  module: WebAssembly.Module;
  /** Names its mutable globals are exported under. */
  globals: string[];
  /** All the memory the guest may have, bytes: the interpreter's own and the limit above it. */
  maximumBytes: number;
  /** Filled by the first worker, read by all that come after. */
  snapshot: SharedArrayBuffer;
}
