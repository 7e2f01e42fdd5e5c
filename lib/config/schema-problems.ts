import type * as z from 'zod';
import { nearest } from '../nearest.ts';
import { foreignKey } from './foreign-keys.ts';
import { knownKeysAt, type Path } from './keys.ts';

/** A mistake in a configuration: where, and one line that says what to change. */
export interface ConfigProblem {
  path: Path;
  message: string;
}

const EXPECTED: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
};

/** Kinds, never values: a value may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  return String(typeof value === 'boolean' ? value : typeof value);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) value = value == null ? undefined : (value as Record<PropertyKey, unknown>)[step];
  return value;
}

/** Advice for values people try because they stand elsewhere. */
function advice(path: Path, value: unknown): string {
  if (path.at(-1) === 'expose' && value === 'none') return '; "none" is for single tools (tool_expose)';
  if (path[0] === 'languages' && value === 'typescript') return '; TypeScript runs wherever javascript does';
  if (path.at(-1) === 'transport' && /^(streamable[-_ ]?http|http-stream|streamable)$/i.test(String(value))) {
    return '; Streamable HTTP is "http"';
  }
  return '';
}

function message(issue: z.core.$ZodIssue, path: Path, root: unknown): string {
  const value = valueAt(root, path);
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? 'is required'
        : `must be ${EXPECTED[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
    case 'invalid_value': {
      if (value === undefined) return `is required: one of ${issue.values.join(', ')}`;
      const special = advice(path, value);
      const meant = special ? undefined : nearest(String(value), issue.values.map(String));
      const shown = typeof value === 'object' ? kindOf(value) : JSON.stringify(value);
      return `must be one of ${issue.values.join(', ')}, not ${shown}${special || (meant ? `; did you mean "${meant}"?` : '')}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      if (issue.origin === 'array') return 'must have at least one item';
      return issue.inclusive ? `must be at least ${issue.minimum}` : `must be more than ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

/** The schema's findings as problems, one for each unknown key. */
export function schemaProblems(error: z.core.$ZodError, root: unknown): ConfigProblem[] {
  return error.issues.flatMap((issue): ConfigProblem[] => {
    const path = issue.path as (string | number)[];
    if (issue.code !== 'unrecognized_keys') return [{ path, message: message(issue, path, root) }];
    const known = knownKeysAt(path);
    return issue.keys.map((key) => {
      const foreign = foreignKey([...path, key], valueAt(root, [...path, key]));
      if (foreign) return { path: [...path, key], message: foreign };
      const meant = nearest(key, known);
      const help = meant ? `did you mean "${meant}"?` : `known here: ${known.join(', ')}`;
      return { path: [...path, key], message: `unknown key; ${help}` };
    });
  });
}
