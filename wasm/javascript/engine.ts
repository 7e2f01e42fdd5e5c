import { type MemorySnapshot, takeSnapshot } from '../memory-snapshot.ts';
import { ENGINE_EXPORTS, ENGINE_IMPORTS } from './engine-exports.ts';

/** Address of a `JSValue` in the engine's memory. */
export type Value = number;

/** Size of a page of wasm memory, bytes. */
const PAGE_BYTES = 65_536;
/** Where the module's own data ends and its C stack begins, and where that stack ends and its heap begins, as linked. */
const STACK_BASE = 90_208;
const LINKED_HEAP_BASE = 5_333_088;
/** The word that says where the heap ends, which is where it begins before anything is allocated. */
const HEAP_END_WORD = 86_864 >> 2;
/** C stack an engine gets in place of the 5 MiB it is linked with, bytes: what a script may use, and half as much for C alone. */
const C_STACK_BYTES = 768 * 1024;
/** Pages a fresh engine starts with: data, C stack and a small heap. A run that needs more grows it. */
export const BASE_PAGES = 26;
/** C stack a script may use, bytes: QuickJS raises its own catchable error where calls or the parser go beyond. */
const STACK_BYTES = 512 * 1024;
/** Lowest part of the C stack, bytes: empty but where C alone went beyond what a script may use and to the end. */
const STACK_GUARD_BYTES = 1024;
/** Heap kept back for telling that memory ran out, bytes. */
const RESERVE_BYTES = 128 * 1024;
/** Tag of an exception among QuickJS's values (upper half of the 64 bits). */
const TAG_EXCEPTION = 6;
const TAG_UNDEFINED = 3;
/** Size of C's `struct tm` as far as `localtime_r` leaves it to its import, words. */
const TIME_WORDS = 10;
const SCRIPT_FLAGS = 0;
/** `JS_EVAL_FLAG_ASYNC`: top-level `await` works and the result is a promise of `{value}`. */
const ASYNC_FLAG = 1 << 7;

/** `JS_EVAL_FLAG_COMPILE_ONLY`. */
const COMPILE_ONLY_FLAG = 1 << 5;

/** State of a promise, as QuickJS numbers them. */
export const PENDING = 0;
export const FULFILLED = 1;

/** A function of the host, called with addresses of its arguments; 0 means `undefined`. */
export type HostOperation = (engine: Engine, args: (index: number) => Value) => Value;

/** Held from the start: a hardened worker has no such globals. */
const { Instance, Memory, Module } = WebAssembly;
const Encoder = TextEncoder;
const Decoder = TextDecoder;

type Exports = Record<keyof typeof ENGINE_EXPORTS, (...args: number[]) => number>;

/** One QuickJS runtime and context, used without its JavaScript loader: our imports grant it nothing but the time. */
export interface Engine {
  /** Evaluates a script in the global scope; `async` allows top-level `await`. The completion value, or an exception. */
  evaluate(code: string, file: 'script' | 'prelude', async: boolean): Value;
  /** Whether the code parses, running nothing of it. */
  compiles(code: string, async: boolean): boolean;
  call(fn: Value, args: readonly Value[]): Value;
  /** A string value; an exception where memory ran out. */
  string(text: string): Value;
  number(value: number): Value;
  /** The text of a string value. */
  text(value: Value): string;
  toNumber(value: Value): number;
  isException(value: Value): boolean;
  isUndefined(value: Value): boolean;
  /** Takes the exception that a call ended with. */
  exception(value: Value): Value;
  /** Runs promise jobs until there are none. Returns false when one failed for lack of memory. */
  runJobs(): boolean;
  promiseState(promise: Value): number;
  promiseResult(promise: Value): Value;
  function(name: string, operation: HostOperation): Value;
  free(value: Value): void;
  /** Whether memory has run out in this run. */
  exhausted(): boolean;
  /**
   * Whether C used up its stack in this run, below which the engine's data lie. QuickJS looks at its limit where scripts call
   * and code is parsed, not where it makes bytecode of functions within functions, nor rightly for a frame of 350 KiB.
   */
  overran(): boolean;
  /** Gives up the reserve, so that an error can be told after memory ran out. */
  releaseReserve(): void;
  /** Keeps the present state as the one `restore` comes back to. */
  snapshot(): void;
  /** Puts the memory back as it was at `snapshot`, whatever a script did to it. False: only a new engine can. */
  restore(): boolean;
}

/** Lowers the module's own minimum of 16 MiB of memory, in place: the import's limits follow `a.a`, kind memory, flag 1. */
export function lowerMemoryMinimum(binary: Uint8Array): void {
  const at = binary.findIndex(
    (_, i) =>
      binary[i] === 1 && binary[i + 1] === 0x61 && binary[i + 2] === 1 && binary[i + 3] === 0x61 && binary[i + 4] === 2,
  );
  if (at < 0 || binary[at + 5] !== 1 || binary[at + 6] !== 0x80 || binary[at + 7] !== 0x02) {
    throw new Error('The QuickJS module no longer imports its memory as we know it: check the package version');
  }
  binary[at + 6] = 0x80 | (BASE_PAGES & 0x7f);
  binary[at + 7] = BASE_PAGES >> 7;
}

/** Starts an engine from the compiled module; `memoryBytes` bounds what it may take above its base. */
export function createEngine(module: WebAssembly.Module, memoryBytes: number): Engine {
  const encoder = new Encoder();
  const decoder = new Decoder();
  const memory = new Memory({
    initial: BASE_PAGES,
    maximum: BASE_PAGES + Math.ceil(memoryBytes / PAGE_BYTES),
  });
  let bytes = new Uint8Array(memory.buffer);
  let words = new Uint32Array(memory.buffer);
  const refresh = () => {
    if (bytes.buffer === memory.buffer) return;
    bytes = new Uint8Array(memory.buffer);
    words = new Uint32Array(memory.buffer);
  };

  let exhausted = false;
  const operations: HostOperation[] = [];
  const imports: Record<string, WebAssembly.ImportValue> = {};
  for (const { name, kind } of Module.imports(module)) if (kind === 'function') imports[name] = () => 0;
  imports[ENGINE_IMPORTS.memory] = memory;
  imports[ENGINE_IMPORTS.now] = () => Date.now();
  // Local time is UTC: the offset and all else of a `struct tm` is zero, where C's stack would otherwise shine through.
  imports[ENGINE_IMPORTS.localTime] = (_seconds: bigint, time: number) => {
    refresh();
    words.fill(0, time >> 2, (time >> 2) + TIME_WORDS);
  };
  imports[ENGINE_IMPORTS.resizeHeap] = (size: number) => {
    const missing = (size >>> 0) - memory.buffer.byteLength;
    try {
      memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch {
      exhausted = true;
      return 0;
    }
    refresh();
    return 1;
  };
  const VALUE_BYTES = 8;
  imports[ENGINE_IMPORTS.callFunction] = (_ctx: number, _this: number, _count: number, args: number, id: number) =>
    operations[id]!(engine, (index) => args + index * VALUE_BYTES);

  const instance = new Instance(module, { a: imports });
  const raw = {} as Exports;
  for (const [name, short] of Object.entries(ENGINE_EXPORTS)) {
    raw[name as keyof Exports] = instance.exports[short] as (...args: number[]) => number;
  }
  if (words[HEAP_END_WORD] !== LINKED_HEAP_BASE || raw.stackSave() !== LINKED_HEAP_BASE)
    throw new Error('The QuickJS module is laid out in a way we do not know: check the package version');
  // Every reset writes the whole memory: what is never used had better not be there.
  raw.stackRestore(STACK_BASE + C_STACK_BYTES);
  words[HEAP_END_WORD] = STACK_BASE + C_STACK_BYTES;
  raw.initialize();
  const runtime = raw.QTS_NewRuntime();
  raw.QTS_RuntimeSetMaxStackSize(runtime, STACK_BYTES);
  const context = raw.QTS_NewContext(runtime, 0);
  const scratch = raw.malloc(64);
  const kept = raw.malloc(RESERVE_BYTES);
  let reserve = kept;
  const undefinedValue = raw.QTS_GetUndefined();
  refresh();

  /** Copies text in as UTF-8 with a final zero; returns its address and length. The caller frees it. */
  function place(text: string): [address: number, length: number] {
    const room = text.length * 3 + 1;
    const address = raw.malloc(room);
    refresh();
    if (!address) return [0, 0];
    const { written } = encoder.encodeInto(text, bytes.subarray(address, address + room - 1));
    bytes[address + written] = 0;
    return [address, written];
  }

  const [fileName] = place('script');
  const [preludeName] = place('prelude');
  let saved: MemorySnapshot | undefined;
  let savedStack = 0;

  const engine: Engine = {
    evaluate(code, file, async) {
      const [address, length] = place(code);
      if (!address) return 0;
      const flags = async ? ASYNC_FLAG : SCRIPT_FLAGS;
      const value = raw.QTS_Eval(context, address, length, file === 'prelude' ? preludeName : fileName, 0, flags);
      refresh();
      raw.free(address);
      return value;
    },
    compiles(code, async) {
      const [address, length] = place(code);
      if (!address) return false;
      const flags = COMPILE_ONLY_FLAG | (async ? ASYNC_FLAG : SCRIPT_FLAGS);
      const value = raw.QTS_Eval(context, address, length, fileName, 0, flags);
      refresh();
      raw.free(address);
      if (value !== 0 && !engine.isException(value)) return true;
      // Left in place, it would be taken for the cause of a later failure that has none of its own.
      if (value !== 0) engine.exception(value);
      return false;
    },
    call(fn, args) {
      for (const [index, arg] of args.entries()) words[(scratch >> 2) + index] = arg;
      const value = raw.QTS_Call(context, fn, undefinedValue, args.length, scratch);
      refresh();
      return value;
    },
    string(text) {
      const [address] = place(text);
      if (!address) return raw.QTS_Throw(context, outOfMemory);
      const value = raw.QTS_NewString(context, address);
      refresh();
      raw.free(address);
      return value;
    },
    number: (value) => raw.QTS_NewFloat64(context, value),
    text(value) {
      const address = raw.QTS_GetString(context, value);
      refresh();
      if (!address) return '';
      const text = decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
      raw.QTS_FreeCString(context, address);
      return text;
    },
    toNumber: (value) => raw.QTS_GetFloat64(context, value),
    isException: (value) => words[(value >> 2) + 1] === TAG_EXCEPTION,
    isUndefined: (value) => words[(value >> 2) + 1] === TAG_UNDEFINED,
    exception: (value) => raw.QTS_ResolveException(context, value),
    runJobs() {
      const value = raw.QTS_ExecutePendingJob(runtime, -1, scratch);
      refresh();
      if (!value) return false;
      raw.QTS_FreeValuePointer(context, value);
      return true;
    },
    promiseState: (promise) => raw.QTS_PromiseState(context, promise),
    promiseResult: (promise) => raw.QTS_PromiseResult(context, promise),
    function(name, operation) {
      const id = operations.push(operation) - 1;
      const [address] = place(name);
      const value = raw.QTS_NewFunction(context, address, 0, 0, id);
      raw.free(address);
      return value;
    },
    free: (value) => {
      raw.QTS_FreeValuePointer(context, value);
    },
    exhausted: () => exhausted,
    overran() {
      // A trap leaves the stack where it was: below the end, or below 0 and thereby negative.
      if (raw.stackSave() < STACK_BASE) return true;
      refresh();
      for (let at = STACK_BASE; at < STACK_BASE + STACK_GUARD_BYTES; at += 4) if (words[at >> 2] !== 0) return true;
      return false;
    },
    releaseReserve() {
      if (!reserve) return;
      raw.free(reserve);
      reserve = 0;
    },
    snapshot() {
      saved = takeSnapshot(memory);
      savedStack = raw.stackSave();
    },
    restore() {
      // Memory cannot shrink: after a run that needed more, a new engine is the way.
      if (!saved || memory.buffer.byteLength !== BASE_PAGES * PAGE_BYTES) return false;
      saved.restore();
      raw.stackRestore(savedStack);
      exhausted = false;
      reserve = kept;
      return true;
    },
  };
  const outOfMemory = engine.evaluate("new InternalError('out of memory')", 'prelude', false);
  return engine;
}
