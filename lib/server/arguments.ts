import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';

/** A string argument, or undefined; throws `invalid_arguments`. Empty texts count as absent, as models send them. */
export function text(args: JsonObject, key: string): string | undefined {
  const value = args[key];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new CodeModeError('invalid_arguments', `${key} must be a string, not ${typeof value}`);
}

/** A string argument that must be there; throws `invalid_arguments`. */
export function requiredText(args: JsonObject, key: string): string {
  const value = text(args, key);
  if (value === undefined) throw new CodeModeError('invalid_arguments', `${key} is missing: give a string`);
  return value;
}

/** A number argument within bounds, or its default; throws `invalid_arguments`. */
export function number(args: JsonObject, key: string, fallback: number, min: number, max: number): number {
  const value = args[key];
  if (value === undefined || value === null) return fallback;
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read === 'number' && Number.isFinite(read)) return Math.min(Math.max(read, min), max);
  throw new CodeModeError('invalid_arguments', `${key} must be a number from ${min} to ${max}`);
}
