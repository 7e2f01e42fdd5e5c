import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language, Limits } from '../../lib/sandbox/contract.ts';
import { LANGUAGES } from '../../wasm/languages.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { runProgram } from '../wasm/support.ts';
import { readExpectation } from './read-program.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const languages = (['javascript', 'typescript', 'lua', 'go'] as const).filter((language) => LANGUAGES[language]);
const sandbox = createSandbox({ languages });

/**
 * Limits of a hostile run, unless its header sets others: one that must meet the CPU limit gets little, so that the whole
 * folder is quick; one that must end otherwise gets so much that no busy machine comes between.
 */
const TIMEOUT_LIMITS: Partial<Limits> = { cpuMs: 400, wallMs: 60_000 };
const OTHER_LIMITS: Partial<Limits> = { cpuMs: 20_000, wallMs: 60_000 };
/** How many times slower a second user may get while a hostile program has a core of two to itself. */
const SLOWER = 40;
/** Executions of the second user a hostile program is judged by, at least. */
const LEAST_SAMPLES = 9;
/** Latencies under this many milliseconds are normal whatever the idle machine did. */
const NORMAL_MS = 100;

/** A hostile program may take so long on a busy machine, milliseconds. */
const PATIENCE_MS = 90_000;

let idle = 0;

/** One execution of a user who does nothing wrong; its latency, milliseconds. */
async function innocent(): Promise<number> {
  const started = performance.now();
  const outcome = await runProgram(sandbox, { language: 'javascript', code: 'return tools.add({ a: 1, b: 2 })', owner: 'second' });
  expect(outcome).toMatchObject({ ok: true, value: '3' });
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function programs(language: Language, kind: 'hostile' | 'model'): { file: string; source: string }[] {
  const folder = `${root}${language}/${kind}`;
  let files: string[];
  try {
    files = readdirSync(folder).filter((file) => !file.startsWith('.'));
  } catch {
    return [];
  }
  return files.sort().map((file) => ({ file, source: readFileSync(`${folder}/${file}`, 'utf8') }));
}

beforeAll(async () => {
  await sandbox.warm(languages);
  const latencies: number[] = [];
  for (let at = 0; at < 30; at++) latencies.push(await innocent());
  idle = median(latencies);
});
afterAll(() => sandbox.close());

async function check(language: Language, source: string): Promise<void> {
  const wanted = readExpectation(source);
  const limits = wanted.code === 'timeout' ? TIMEOUT_LIMITS : OTHER_LIMITS;
  const outcome = await runProgram(
    sandbox,
    { language, code: source, owner: 'first', ...wanted.program },
    { ...limits, ...wanted.limits },
  );
  expect(outcome.ok ? 'ok' : outcome.code, outcome.ok ? `value: ${outcome.value}` : outcome.message).toBe(wanted.code);
  if (wanted.hasValue && outcome.ok) expect(JSON.parse(outcome.value ?? 'null')).toEqual(wanted.value);
  for (const part of wanted.error) expect(outcome.ok ? '' : outcome.message).toContain(part);
  for (const part of wanted.logs) expect(outcome.logs.join('\n')).toContain(part);
}

describe.each(languages.filter((language) => programs(language, 'hostile').length > 0))('hostile %s', (language) => {
  it.each(programs(language, 'hostile'))('$file ends as it must, and others notice nothing', async ({ source }) => {
    let over = false;
    const hostile = check(language, source).finally(() => {
      over = true;
    });
    // Not to be unhandled while the second user is served.
    hostile.catch(() => {});
    const latencies: number[] = [];
    while (!over || latencies.length < LEAST_SAMPLES) latencies.push(await innocent());
    await hostile;
    expect(median(latencies)).toBeLessThan(Math.max(NORMAL_MS, idle * SLOWER));
  }, PATIENCE_MS);
});

describe.each(languages.filter((language) => programs(language, 'model').length > 0))('model-written %s', (language) => {
  it.each(programs(language, 'model'))('$file gives what its header says', ({ source }) => check(language, source));
});
