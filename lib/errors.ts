/** Every error code a client can meet (CONTRACT, "Error codes"): a closed list. */
export const ERROR_CODES = [
  'syntax',
  'runtime',
  'entry_not_found',
  'language_disabled',
  'timeout',
  'call_timeout',
  'memory',
  'tool_calls_exceeded',
  'output_too_large',
  'forbidden',
  'function_not_found',
  'tool_failed',
  'upstream_unavailable',
  'invalid_arguments',
  'store_disabled',
  'code_not_found',
  'not_runnable',
  'quota_exceeded',
  'cancelled',
  'internal',
] as const;

/** One of `ERROR_CODES`. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure whose message may be shown to a client: it says what is wrong and what to do next. */
export class CodeModeError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CodeModeError';
    this.code = code;
  }
}
