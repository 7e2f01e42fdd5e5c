import { registerHooks } from 'node:module';

/**
 * Global names a hardened worker keeps: the language itself, without what makes code from text or reaches the platform.
 * `Atomics` and `SharedArrayBuffer` are the bridge's; `WebAssembly` goes, guests hold what they need of it.
 */
const KEPT = new Set(
  (
    'AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView ' +
    'Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Infinity Int16Array ' +
    'Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect ' +
    'RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array ' +
    'Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent ' +
    'globalThis isFinite isNaN parseFloat parseInt undefined'
  ).split(' '),
);

/** Doors of `process` itself, should a reference to it survive somewhere. */
const PROCESS_DOORS = [
  '_debugEnd',
  '_debugProcess',
  '_getActiveHandles',
  '_getActiveRequests',
  '_kill',
  '_linkedBinding',
  '_rawDebug',
  'abort',
  'binding',
  'chdir',
  'dlopen',
  'execve',
  'exit',
  'getBuiltinModule',
  'kill',
  'loadEnvFile',
  'mainModule',
  'moduleLoadList',
  'openStdin',
  'reallyExit',
  'report',
  'stderr',
  'stdin',
  'stdout',
  'umask',
];

/**
 * Takes from the worker's thread what a guest must never reach even if it breaks out of its wasm: `process`, module
 * loading, network, timers, stdio, and the making of code from text. To be called once the guest is made and before any
 * program runs; there is no way back. A thread is no boundary by itself: what still holds after a hole in V8 is the
 * operating system's business (see "Threat model" in docs/ARCHITECTURE.md).
 */
export function harden(): void {
  const refuse = () => {
    throw new TypeError('not in a sandbox worker');
  };
  registerHooks({ resolve: refuse, load: refuse });

  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds) {
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', {
      value: refuse,
      writable: false,
      configurable: false,
    });
  }

  const { process } = globalThis;
  for (const door of PROCESS_DOORS) replace(process, door, refuse);
  replace(process, 'env', Object.freeze(Object.create(null)));
  replace(process, 'argv', Object.freeze([]));
  replace(process, 'execArgv', Object.freeze([]));

  for (const name of Reflect.ownKeys(globalThis)) {
    if (typeof name === 'string' && KEPT.has(name)) continue;
    if (name === Symbol.toStringTag) continue;
    if (!Reflect.deleteProperty(globalThis, name)) replace(globalThis, name, undefined);
  }
}

function replace(target: object, name: string | symbol, value: unknown): void {
  Reflect.defineProperty(target, name, { value, writable: false, configurable: false, enumerable: false });
}
