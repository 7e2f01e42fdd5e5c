import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { nearest } from '../nearest.ts';
import { FLAGS } from './command-line.ts';
import { settableKeys } from './keys.ts';

/** A key set from outside the file. */
export interface Setting {
  /** As it is shown in a problem: `flag --log-level`, `environment LOG_LEVEL`, `.env LOG_LEVEL`. */
  origin: string;
  path: readonly string[];
  text: string;
}

/** The variables of `.env` in a folder; none where there is no such file. Throws where it cannot be read. */
export function readEnvFile(folder: string): Record<string, string | undefined> {
  let text: string;
  try {
    text = readFileSync(join(folder, '.env'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  return parseEnv(text);
}

/** Names that can set a key: its path in capitals, and the reference's own names for some. */
function variables(): { name: string; path: readonly string[] }[] {
  const byPath = settableKeys().map((path) => ({ name: path.join('_').toUpperCase(), path }));
  const named = FLAGS.map(({ env, path }) => ({ name: env, path }));
  return [...byPath, ...named];
}

/** What an environment sets; an empty variable counts as not set. Later settings win over earlier ones. */
export function environmentSettings(env: Record<string, string | undefined>, source: string): Setting[] {
  return variables().flatMap(({ name, path }) => {
    const text = env[name];
    return text ? [{ origin: `${source} ${name}`, path, text }] : [];
  });
}

/**
 * Variables that set nothing though they are named almost as one that does, one line each. Only names that begin as ours do
 * are looked at: an environment is full of others' names.
 */
export function mistypedVariables(env: Record<string, string | undefined>, source: string): string[] {
  const known = ['CONFIG_FILE', ...variables().map(({ name }) => name)];
  const beginning = (name: string) => name.slice(0, name.indexOf('_') + 1);
  const beginnings = new Set(known.map(beginning).filter(Boolean));
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || !beginnings.has(beginning(name))) return [];
    const meant = nearest(name, known);
    return meant ? [`${source} ${name}: sets nothing; did you mean ${meant}?`] : [];
  });
}
