import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FLAGS } from '../../lib/config/command-line.ts';
import { configSchema } from '../../lib/config/schema.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');

/** Limits that are no keys of the configuration: the row's name, and where its numbers stand in the code. */
const CONSTANTS: Record<string, readonly (readonly [file: string, name: string])[]> = {
  'a kept script, its instructions': [
    ['lib/store/code-limits.ts', 'MAX_CODE_BYTES'],
    ['lib/store/code-limits.ts', 'MAX_INSTRUCTIONS_BYTES'],
  ],
  'kept records of a scope, earlier versions of one': [
    ['lib/store/code-limits.ts', 'records'],
    ['lib/store/code-limits.ts', 'versions'],
  ],
  'runs at once in one process': [['wasm/sandbox.ts', 'DEFAULT_MAX_RUNS']],
  "streams held open for clients (GET, `subscriptions/listen`), one user's": [
    ['lib/server/stream-places.ts', 'MAX_STREAMS'],
    ['lib/server/stream-places.ts', 'MAX_STREAMS_PER_USER'],
  ],
  'scripts that run kept scripts': [['lib/run/execute-code.ts', 'MAX_CODE_DEPTH']],
  'calls to functions that do not exist': [['lib/run/run-script.ts', 'MAX_UNKNOWN_CALLS']],
  'arguments of one call': [
    ['lib/run/run-script.ts', 'MAX_ARGUMENT_CHARS'],
    ['lib/run/check-arguments.ts', 'MAX_CHECKED_VALUES'],
  ],
  'connections to one upstream (HTTP, stdio)': [
    ['lib/upstream/connection-pool.ts', 'http'],
    ['lib/upstream/connection-pool.ts', 'stdio'],
  ],
  "an idle connection: a user's, a client session's": [
    ['lib/upstream/connection-pool.ts', 'MAX_IDLE_MS'],
    ['lib/upstream/connection-pool.ts', 'MAX_SESSION_IDLE_MS'],
  ],
  "an upstream's JSON answer, pages of one list": [
    ['lib/upstream/http-fetch.ts', 'MAX_JSON_BYTES'],
    ['lib/upstream/list-pages.ts', 'MAX_PAGES'],
  ],
};

/** Units as the README writes them, in what the code counts in. */
const UNITS: Record<string, number> = { KiB: 2 ** 10, MiB: 2 ** 20, Mi: 2 ** 20, min: 60_000 };

interface JsonSchema {
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

/** Every leaf of the configuration with its default, `undefined` where it has none: `upstream[].url`, … */
function leaves(schema: JsonSchema, path = ''): [path: string, fallback: unknown][] {
  if (schema.items?.properties) return leaves(schema.items, `${path}[]`);
  if (!schema.properties) return [[path, schema.default]];
  return Object.entries(schema.properties).flatMap(([key, below]) => leaves(below, path ? `${path}.${key}` : key));
}
const defaults = new Map(leaves(z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema));

/** The rows of the table below a heading's column names. */
function table(head: string): string[][] {
  const after = readme.split(`\n${head}\n`)[1];
  if (after === undefined) throw new Error(`README has no table ${head}`);
  const rows = after.split('\n\n')[0]!.split('\n').slice(1);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The keys named in a cell; a name without a dot stands beside the one before it. */
function keysIn(cell: string): string[] {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const room = names[0]?.replace(/[^.]*$/, '') ?? '';
  return names.map((name) => (name.includes('.') ? name : room + name));
}

/** The numbers of a cell: `1,000 a run`, `64 KiB, 16`, `5 min`. */
function numbersIn(cell: string): number[] {
  return [...cell.matchAll(/(\d[\d,]*)(?: (KiB|MiB|Mi|min)\b)?/g)].map(
    ([, digits, unit]) => Number(digits!.replaceAll(',', '')) * (UNITS[unit ?? ''] ?? 1),
  );
}

/** A numeric constant or member of an object, as its file defines it. */
function constant(file: string, name: string): number {
  const text = new RegExp(`\\b${name}(?: =|:) ([\\d_* ]+)`).exec(readFileSync(`${root}/${file}`, 'utf8'))?.[1];
  if (text === undefined) throw new Error(`${file} defines no ${name}`);
  return text
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1);
}

describe("the README's table of limits", () => {
  const rows = table('| key | default | when it is crossed |');

  it.each(rows)('gives %s its own default, %s', (name, cell) => {
    if (!name!.startsWith('`')) {
      const places = CONSTANTS[name!];
      expect(places, 'a row that is no key names its constants in this test').toBeDefined();
      expect(numbersIn(cell!)).toEqual(places!.map(([file, constantName]) => constant(file, constantName)));
      return;
    }
    const keys = keysIn(name!);
    expect(keys.filter((key) => !defaults.has(key))).toEqual([]);
    for (const key of keys) {
      const fallback = defaults.get(key);
      if (typeof fallback === 'number') expect(numbersIn(cell!), key).toEqual([fallback]);
      else expect(cell, key).toBe(String(fallback));
    }
  });

  it('has a row for every limit of the configuration', () => {
    const limits = [...defaults.keys()].filter(
      (key) => key.startsWith('limits.') || /(^|\.)max_\w+$|_timeout_m?s$/.test(key),
    );
    expect(limits.length).toBeGreaterThan(12);
    const named = new Set(rows.flatMap(([name]) => keysIn(name!)));
    expect(limits.filter((key) => !named.has(key))).toEqual([]);
  });
});

describe("the README's table of keys", () => {
  const [config, ...rows] = table('| flag | environment | key | default |');

  it('has a row for every flag, with its variable and key', () => {
    expect(config?.slice(0, 2)).toEqual(['`--config`', '`CONFIG_FILE`']);
    const named = FLAGS.map(({ flag, env, path }) => [flag, env, path.join('.')].map((text) => `\`${text}\``));
    expect(rows.map((row) => row.slice(0, 3))).toEqual(named);
  });

  it.each(rows)('gives %s (%s, %s) the default of the schema, %s', (_flag, _env, name, cell) => {
    const key = keysIn(name!)[0]!;
    const fallback = defaults.get(key);
    // What is logged by default depends on the place: the schema leaves it open.
    if (key === 'log.level') expect([fallback, cell]).toEqual([undefined, '`off`, on AWS `info`']);
    else if (fallback === '') expect(cell).toMatch(/^–( \(.*\))?$/);
    else expect(cell).toBe(`\`${String(fallback)}\``);
  });
});
