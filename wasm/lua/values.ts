/** Deepest nesting of a value that crosses the boundary. */
export const MAX_DEPTH = 1000;
/** Bytes of JSON one value may become; far above `max_result_bytes`, it only protects the worker's own memory. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Bytes of one value in a printed line. */
export const MAX_SHOWN_BYTES = 256 * 1024;

/** Bytes of an error's message. */
export const MAX_MESSAGE_BYTES = 8 * 1024;

/** Registry references of what the host needs of a Lua state. */
export interface References {
  /** The metatable that marks lists. */
  arrayMark: number;
  /** Weak table: errors of calls → `code` and the name called, with a blank between. */
  errors: number;
  /** Metatable of those errors. */
  errorMeta: number;
  /** `math.randomseed`. */
  seed: number;
  /** The prelude's function that makes a namespace. */
  install: number;
}

/** A value that cannot cross; the message says which and what to do. */
export class ValueError extends Error {
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge = false) {
    super(message);
    this.name = 'ValueError';
    this.tooLarge = tooLarge;
  }
}
