/** Severity of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields of a log line: never tokens, header values, bodies, code or arguments. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** Writes JSON lines `{"time", "level", "msg", …}`. */
export type Log = (level: LogLevel, msg: string, fields?: LogFields) => void;

/** Says nothing. */
export const silent: Log = () => {};
