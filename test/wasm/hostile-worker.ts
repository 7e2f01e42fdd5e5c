import { parentPort, workerData } from 'node:worker_threads';
import { harden } from '../../wasm/harden.ts';

/**
 * Code that has broken out of its interpreter and runs in the worker's own JavaScript: what each attempt comes to. A
 * number of things it could only have from before are handed to it, to be sure that they are of no use.
 */
const before = { process, require: undefined as unknown, importer: (name: string) => import(name) };
const { hardened } = workerData as { hardened: boolean };
if (hardened) harden();

// biome-ignore lint/suspicious/noExplicitAny: hostile code has no types
type Anything = any;
const global = globalThis as Anything;
const attempts: Record<string, () => unknown> = {
  'the global process': () => global.process.env,
  'process from a function': () => (attempts as Anything).constructor.constructor('return process')(),
  'Function by name': () => global.Function('return 1')(),
  'Function of a function': () => (() => {}).constructor('return 1')(),
  'Function of a method': () => ([].map as Anything).constructor('return 1')(),
  'Function of a class': () => (class {}.constructor as Anything)('return 1')(),
  'Function reflected': () => Reflect.construct((() => {}).constructor as Anything, ['return 1']),
  'the async function constructor': () => (async () => {}).constructor('return 1')(),
  'the generator constructor': () => (function* () {}.constructor as Anything)('yield 1')().next(),
  'the async generator constructor': () => (async function* () {}.constructor as Anything)('yield 1')(),
  'indirect eval': () => global.eval('1'),
  'a string as a timer': () => global.setTimeout('1', 0),
  require: () => global.require('fs'),
  'a module by import': () => before.importer('node:fs'),
  'a bare module by import': () => before.importer('child_process'),
  'a file by import': () => before.importer(new URL('./support.ts', import.meta.url).href),
  'data by import': () => before.importer('data:text/javascript,export default 1'),
  'a built-in of process': () => before.process.getBuiltinModule('fs'),
  'a binding of process': () => (before.process as Anything).binding('fs'),
  'an internal binding of process': () => (before.process as Anything)._linkedBinding('fs'),
  'a native library': () => before.process.dlopen({ exports: {} } as Anything, '/lib/x.so'),
  'the end of the process': () => before.process.exit(0),
  'a signal': () => before.process.kill(before.process.pid, 'SIGTERM'),
  'the open handles': () => (before.process as Anything)._getActiveHandles(),
  'a file of settings': () => before.process.loadEnvFile('package.json'),
  'the list of loaded modules': () => (before.process as Anything).moduleLoadList.join(),
  'the environment': () => {
    if (Object.keys(before.process.env).length === 0) throw new Error('empty');
  },
  'standard output': () => (before.process.stdout as Anything).write('x'),
  fetch: () => global.fetch('http://127.0.0.1:9'),
  'a socket': () => new global.WebSocket('ws://127.0.0.1:9'),
  'another worker': () => new global.Worker('x'),
  'a message channel': () => new global.MessageChannel(),
  'a broadcast': () => new global.BroadcastChannel('x'),
  WebAssembly: () => new global.WebAssembly.Memory({ initial: 1 }),
  Buffer: () => global.Buffer.allocUnsafe(8),
  timers: () => global.setTimeout(() => {}, 0),
  'the navigator': () => global.navigator.hardwareConcurrency,
  storage: () => global.localStorage.length,
  crypto: () => global.crypto.subtle.digest,
  performance: () => global.performance.now(),
  console: () => global.console.log('x'),
  'structured clone': () => global.structuredClone(1),
  'hidden globals': () => {
    const hidden = Reflect.ownKeys(globalThis).filter((key) => typeof key === 'symbol' && key !== Symbol.toStringTag);
    if (hidden.length === 0) throw new Error('none');
  },
  'call sites': () => {
    let site: Anything;
    Error.prepareStackTrace = (_, sites) => {
      site = sites;
      return '';
    };
    void new Error('x').stack;
    if (!site.some((at: Anything) => at.getThis() || at.getFunction())) throw new Error('nothing to hold');
  },
};

/** What a worker that is not hardened must not try, or the test would end with it. */
const DEADLY = ['the end of the process', 'a signal'];
const results: Record<string, string> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  if (!hardened && DEADLY.includes(name)) continue;
  try {
    await attempt();
    results[name] = 'WORKED';
  } catch {
    results[name] = 'stopped';
  }
}
parentPort!.postMessage(results);
