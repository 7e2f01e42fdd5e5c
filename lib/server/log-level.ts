/** Levels of MCP's log messages, least severe first (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether a value names a level. */
export function isLogLevel(value: unknown): value is string {
  return typeof value === 'string' && LEVELS.includes(value);
}

/** The levels in words, for refusals. */
export const LEVEL_NAMES = LEVELS.join(', ');

/** Whether a message is as severe as wanted; one of a level nobody knows is kept, as is all where nothing was said. */
export function wantsMessage(wanted: string | undefined, level: unknown): boolean {
  return wanted === undefined || !isLogLevel(level) || LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}
