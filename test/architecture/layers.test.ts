import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from '../support/source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = sourceFiles(root, ['functions', 'infra', 'lib', 'wasm']);

/** A file's room: `lib/server`, `wasm`, `functions`, `infra`, or `lib` itself for the shared files on its ground floor. */
function roomOf(path: string): string {
  const parts = path.split('/');
  if (parts[0] !== 'lib') return parts[0] ?? '';
  return parts.length > 2 ? `lib/${parts[1]}` : 'lib';
}

const ground = ['lib', 'lib/config'];
const leaves = [...ground, 'lib/access', 'lib/upstream', 'lib/store', 'lib/sandbox'];
const middle = [...leaves, 'lib/registry', 'lib/session', 'lib/usage', 'lib/search', 'lib/describe'];

/** Which rooms a room may import from (DESIGN, "Layout"): data flows one way. */
const allowed: Record<string, string[]> = {
  lib: ['lib'],
  'lib/config': ground,
  'lib/sandbox': [],
  'lib/access': leaves,
  'lib/upstream': leaves,
  'lib/store': leaves,
  'lib/registry': middle,
  'lib/session': middle,
  'lib/usage': middle,
  'lib/search': middle,
  'lib/describe': middle,
  'lib/run': [...middle, 'lib/run'],
  'lib/console': ground,
  'lib/server': [...middle, 'lib/run', 'lib/console', 'lib/server'],
  wasm: ['wasm'],
  functions: [...middle, 'lib/run', 'lib/server', 'lib/console', 'wasm', 'functions'],
  infra: ['infra', 'lib', 'lib/config', 'functions', 'wasm'],
};

/** Outside packages and the only places that may use them (DESIGN, "Layout"). */
const packages: [pattern: RegExp, place: RegExp, rule: string][] = [
  [/^@aws-sdk\//, /(^|\/)(dynamodb|s3|secrets)\.ts$/, 'only in files named dynamodb.ts, s3.ts or secrets.ts'],
  [/^@modelcontextprotocol\/client/, /^lib\/upstream\//, 'only in lib/upstream/'],
  [/^@modelcontextprotocol\/server/, /^lib\/server\//, 'only in lib/server/'],
  [/^@modelcontextprotocol\/sdk/, /^lib\/server\//, 'only in lib/server/ (the legacy wing)'],
  [/^(aws-cdk-lib|constructs|cdk-nag)/, /^infra\//, 'only in infra/'],
  [/^(quickjs-emscripten|@jitl\/)/, /^wasm\/javascript\//, 'only in wasm/javascript/'],
  [/^wasmoon/, /^wasm\/lua\//, 'only in wasm/lua/'],
  [/^@middy\//, /^functions\//, 'only in functions/'],
  [/^jose/, /^lib\/(access|upstream)\//, 'only in lib/access/ and lib/upstream/'],
];

describe('the layers', () => {
  it('sees the source files', () => {
    expect(files.length).toBeGreaterThan(10);
  });

  it('import one way', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const from = roomOf(file);
      for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
        if (!specifier.startsWith('.')) continue;
        const target = relative(root, join(root, dirname(file), specifier))
          .split(sep)
          .join('/');
        const to = roomOf(target);
        if (target === 'lib/sandbox/contract.ts' && from === 'wasm') continue;
        const rooms = allowed[from];
        if (!rooms) wrong.push(`${file}: the room ${from} is not in the plan`);
        else if (to !== from && !rooms.includes(to)) wrong.push(`${file} imports ${target}: ${from} may not use ${to}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('use outside packages in their own rooms only', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
        for (const [pattern, place, rule] of packages) {
          if (pattern.test(specifier) && !place.test(file)) wrong.push(`${file} imports ${specifier}: ${rule}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
