import { openSync } from 'node:fs';
import pino from 'pino';
import { fileFault } from './file-fault.ts';

/** Severity of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields of a log line: never tokens, header values, bodies, code or arguments. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** Writes JSON lines `{"time", "level", "msg", …}`. */
export type Log = (level: LogLevel, msg: string, fields?: LogFields) => void;

/** Says nothing. */
export const silent: Log = () => {};

const STDOUT = 1;
const STDERR = 2;

/** Where and how much to log. */
export interface LogOptions {
  /** Absent means off. */
  level?: LogLevel | 'off' | undefined;
  /** Opened for append; absent or empty: stdout. */
  file?: string | undefined;
  /** Whether stdout belongs to the protocol: lines without a file then go to stderr. */
  stdio?: boolean | undefined;
}

/** A log whose every line is written before the call returns, so that none is lost at exit. Throws where the file cannot be opened. */
export function createLog({ level = 'off', file, stdio = false }: LogOptions): Log {
  if (level === 'off') return silent;
  const target = file ? opened(file) : stdio ? STDERR : STDOUT;
  const destination = pino.destination({ dest: target, sync: true });
  // A full disk or a closed pipe must not end the gateway.
  destination.on('error', () => {});
  const logger = pino(
    {
      level,
      base: null,
      // A line begins with its time, not with its level: the level comes with the fields, and here stands nothing before.
      timestamp: () => `"time":"${new Date().toISOString()}"`,
      formatters: { level: () => ({}) },
    },
    destination,
  );
  return (lineLevel, msg, fields) => {
    const own = { level: lineLevel.toUpperCase(), msg };
    // No field takes the place of the line's own; they come first all the same.
    logger[lineLevel]({ ...own, ...fields, ...own, time: undefined });
  };
}

function opened(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    throw new Error(`log.file: ${file} cannot be opened: ${fileFault(error)}`, { cause: error });
  }
}
