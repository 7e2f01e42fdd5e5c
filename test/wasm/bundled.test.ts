import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS } from '../../wasm/assets.ts';

const wasm = fileURLToPath(new URL('../../wasm/', import.meta.url));
const require = createRequire(join(wasm, 'assets.ts'));
let folder: string;

/** As the deployment bundles: one file, and the sandbox's own beside it in `sandbox/`. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  const options = { bundle: true, platform: 'node', format: 'esm', minify: true, banner } as const;
  writeFileSync(
    join(folder, 'entry.ts'),
    `import { createSandbox } from ${JSON.stringify(join(wasm, 'sandbox.ts'))};
    const limits = { cpuMs: 5000, wallMs: 60000, memoryBytes: 2 ** 26, maxParallelCalls: 4, maxLogBytes: 1000, maxResultBytes: 1000, allowThreads: false };
    const scripts = { javascript: 'return bench.one()', typescript: 'return bench.one() as number', lua: 'return bench.one()', go: 'package main\\nimport "bench"\\nfunc Run() any { v, _ := bench.One(map[string]any{}); return v }' };
    const sandbox = createSandbox({ languages: Object.keys(scripts) as never, upkeep: 'quiet' });
    const values: Record<string, unknown> = {};
    for (const [language, code] of Object.entries(scripts)) {
      values[language] = await sandbox.run({ language: language as never, code }, [{ namespace: 'bench', snake: 'one', camel: 'One' }], limits, async () => ({ ok: true, value: '7' }), new AbortController().signal);
    }
    await sandbox.close();
    console.log(JSON.stringify(values));`,
  );
  await build({ ...options, entryPoints: [join(folder, 'entry.ts')], outfile: join(folder, 'entry.mjs') });
  mkdirSync(join(folder, 'sandbox'));
  for (const { source, bundled } of Object.values(ASSETS)) {
    const from = source.startsWith('.') ? join(wasm, source) : require.resolve(source);
    const to = join(folder, 'sandbox', bundled);
    if (bundled.endsWith('.mjs')) await build({ ...options, entryPoints: [from], outfile: to });
    else copyFileSync(from, to);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a bundled sandbox', () => {
  it('runs every language from the files beside it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'entry.mjs')], { cwd: folder });
    const outcomes = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(outcomes)).toEqual(['javascript', 'typescript', 'lua', 'go']);
    for (const outcome of Object.values(outcomes)) expect(outcome).toMatchObject({ ok: true, value: '7' });
  });

  it('has its worker in one file of its own', () => {
    expect(readFileSync(join(folder, 'sandbox', 'worker.mjs'), 'utf8')).not.toMatch(/from"\.\.?\//);
  });
});
