import { Worker } from 'node:worker_threads';
import type { HostCall, HostFunction, Language, Limits } from '../../lib/sandbox/contract.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { called, measure } from './measure.js';
import { measurePeer } from './peers.ts';

/** Milliseconds. */
export interface Figures {
  cold: number;
  warm: number;
  call?: number;
  parallel?: number;
  loop?: number;
}

const LIMITS: Limits = {
  cpuMs: 60_000,
  wallMs: 120_000,
  memoryBytes: 64 * 1024 * 1024,
  maxParallelCalls: 16,
  maxLogBytes: 64 * 1024,
  maxResultBytes: 256 * 1024,
  allowThreads: false,
};
const FUNCTIONS: HostFunction[] = [
  { namespace: 'bench', snake: 'one', camel: 'One' },
  { namespace: 'bench', snake: 'slow', camel: 'Slow' },
];
const SLOW = 1;
const call: HostCall = async ({ function: index }) => {
  if (index === SLOW) await new Promise((resolve) => setTimeout(resolve, 50));
  else called();
  return { ok: true, value: '1' };
};
const never = new AbortController().signal;

const javascript = {
  add: 'function Run() { return 1 + 1 }',
  calls: 'function Run() { let n = 0; for (let i = 0; i < 1000; i++) n += bench.one({ i }); return n }',
  parallel:
    'async function Run() { return (await Promise.all([0,1,2,3,4,5,6,7,8,9].map(() => bench.slow({})))).length }',
  loop: 'function Run() { let s = 0; for (let i = 0; i < 1000000; i++) s = (s + i) % 1000; return s }',
};
const go = (body: string) =>
  `package main\nimport ("bench"; "codemode")\nvar _ = bench.One\nvar _ = codemode.Parallel\n${body}`;
const SCRIPTS: Record<Language, typeof javascript> = {
  javascript,
  typescript: javascript,
  lua: {
    add: 'function Run() return 1 + 1 end',
    calls: 'function Run() local n = 0 for i = 1, 1000 do n = n + bench.one({ i = i }) end return n end',
    parallel:
      'function Run() local f = function() return bench.slow({}) end return #{ parallel(f, f, f, f, f, f, f, f, f, f) } end',
    loop: 'function Run() local s = 0 for i = 0, 999999 do s = (s + i) % 1000 end return s end',
  },
  go: {
    add: 'package main\nfunc Run() any { return 1 + 1 }',
    calls: go(
      'func Run() any { n := 0.0; for i := 0; i < 1000; i++ { v, err := bench.One(map[string]any{"i": i}); if err != nil { return err }; n += v.(float64) }; return n }',
    ),
    parallel: go(
      'func Run() any { f := func() (any, error) { return bench.Slow(map[string]any{}) }; all, err := codemode.Parallel(f, f, f, f, f, f, f, f, f, f); if err != nil { return err }; return len(all) }',
    ),
    loop: 'package main\nfunc Run() any { s := 0; for i := 0; i < 1000000; i++ { s = (s + i) % 1000 }; return s }',
  },
};
const EXPECTED = { add: '2', calls: '1000', parallel: '10', loop: '0' };

async function measureOurs(language: Language): Promise<Figures> {
  const sandbox = createSandbox({ languages: [language] });
  const run = (what: keyof typeof EXPECTED) => async () => {
    const outcome = await sandbox.run({ language, code: SCRIPTS[language][what] }, FUNCTIONS, LIMITS, call, never);
    if (!outcome.ok || outcome.value !== EXPECTED[what])
      throw new Error(`${language} ${what}: ${JSON.stringify(outcome)}`);
  };
  try {
    return await measure({ add: run('add'), calls: run('calls'), parallel: run('parallel'), loop: run('loop') });
  } finally {
    await sandbox.close();
  }
}

/** The least a message to a thread and back takes, and what the work costs without any sandbox. */
async function measureFloor(): Promise<Figures> {
  const echo =
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", (m) => parentPort.postMessage(m))';
  const worker = new Worker(echo, { eval: true });
  const trip = () =>
    new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage('{}');
    });
  const figures = (await measure({
    add: trip,
    calls: async () => {
      for (let at = 0; at < 1000; at++) {
        called();
        await trip();
      }
    },
    parallel: () => Promise.all(Array.from({ length: 10 }, () => new Promise((resolve) => setTimeout(resolve, 50)))),
    loop: async () => {
      let s = 0;
      for (let i = 0; i < 1_000_000; i++) s = (s + i) % 1000;
      if (s !== 0) throw new Error(String(s));
    },
  })) as Figures;
  await worker.terminate();
  return figures;
}

const MIB = 1024 * 1024;

/** Memory a run holds while it is under way, MiB. */
async function memoryPerRun(language: Language): Promise<number> {
  const AT_ONCE = 8;
  const sandbox = createSandbox({ languages: [language], spares: AT_ONCE });
  await sandbox.warm([language]);
  await sandbox.close();
  const before = process.memoryUsage().rss;
  const again = createSandbox({ languages: [language], spares: AT_ONCE });
  await again.warm([language]);
  const held = (process.memoryUsage().rss - before) / AT_ONCE / MIB;
  await again.close();
  return held;
}

/** Resident memory after the first thousand of many runs, and after them all, MiB. */
async function growth(runs: number): Promise<[number, number]> {
  const sandbox = createSandbox({ languages: ['javascript'] });
  const code = 'function Run() { const all = []; for (let i = 0; i < 1000; i++) all.push({ i }); return all.length }';
  let first = 0;
  for (let at = 0; at < runs; at++) {
    await sandbox.run({ language: 'javascript', code }, FUNCTIONS, LIMITS, call, never);
    if (at === 1000) first = process.memoryUsage().rss / MIB;
  }
  const last = process.memoryUsage().rss / MIB;
  await sandbox.close();
  return [first, last];
}

const LANGUAGES: Language[] = ['javascript', 'typescript', 'lua', 'go'];
const ROWS: [keyof Figures, string][] = [
  ['cold', 'first run of 1+1, ms'],
  ['warm', 'warm run of 1+1, ms'],
  ['call', 'host call (median of 5,000), ms'],
  ['parallel', '10 calls of 50 ms at once, ms'],
  ['loop', 'sum over a million, ms'],
];

const columns: [name: string, figures: Figures | string][] = [];
for (const language of LANGUAGES) columns.push([language, await measureOurs(language)]);
columns.push(['executor', await measurePeer('executor')], ['utcp', await measurePeer('utcp')]);
columns.push(['floor', await measureFloor()]);

const WIDTH = 11;
const cell = (text: string) => text.slice(0, WIDTH).padStart(WIDTH + 1);
const peers = ['executor', 'utcp'];
console.log(`${'node'.padEnd(32)}${process.version}, ${process.platform} ${process.arch}`);
const compared = columns.filter(([name]) => name === 'javascript' || name === 'lua');
const head = [...columns, ...compared.map(([name]) => [`peer/${name === 'lua' ? 'Lua' : 'JS'}`] as const)];
console.log(''.padEnd(32) + head.map(([name]) => cell(name)).join(''));
for (const [key, title] of ROWS) {
  const value = ([, figures]: (typeof columns)[number]) => (typeof figures === 'string' ? undefined : figures[key]);
  const best = Math.min(
    ...columns.filter(([name]) => peers.includes(name)).map((column) => value(column) ?? Number.POSITIVE_INFINITY),
  );
  /** How many times the best peer's figure is ours. */
  const ratio = (own: number | undefined) => (own && Number.isFinite(best) ? `${(best / own).toFixed(1)}x` : '-');
  const cells = columns.map((column) => value(column)?.toFixed(3) ?? '-');
  console.log(title.padEnd(32) + [...cells, ...compared.map((column) => ratio(value(column)))].map(cell).join(''));
}
for (const [name, figures] of columns) if (typeof figures === 'string') console.log(`${name}: ${figures}`);
for (const language of LANGUAGES) {
  console.log(`memory a ready guest holds, ${language}: ${(await memoryPerRun(language)).toFixed(1)} MiB`);
}
const [first, last] = await growth(10_000);
console.log(`resident after 1,000 and 10,000 runs: ${first.toFixed(0)} MiB, ${last.toFixed(0)} MiB`);
