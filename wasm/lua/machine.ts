import { takeSnapshot } from '../memory-snapshot.ts';
import { formatTime, readTime, writeTime } from './calendar.ts';
import { C_FUNCTIONS, CONTINUATION, type HostFunctions } from './callables.ts';
import { type LuaApi, OK } from './lua-api.ts';
import { INITIAL_PAGES, type LuaKit } from './module.ts';

// Taken before the worker is hardened: a machine may have to be made later.
const { Memory, Instance } = WebAssembly;
const encoder = new TextEncoder();

/** Bytes of a wasm page. */
const PAGE = 65536;
/** Bytes kept for passing short texts; longer ones get a buffer of Lua's own. */
export const SCRATCH_BYTES = 65536;
/** Memory grown beyond this many bytes is given back by making a new machine instead of clearing it. */
const KEEP_BYTES = 8 * 1024 * 1024;
/** POSIX "function not implemented": the answer to whatever would reach out of the guest. */
const ENOSYS = 52;

/** A machine's state at one moment. */
export interface MachineSnapshot {
  /** Puts it back; false when the memory has grown so much that a new machine is the better way. */
  restore(): boolean;
}

/** One instance of Lua with a fixed memory maximum. */
export interface Machine {
  api: LuaApi;
  /** Entries of the function table for the host's functions. */
  table: Record<keyof HostFunctions, number>;
  /** Address of `SCRATCH_BYTES` bytes free for passing texts. */
  scratch: number;
  /** Address of four bytes for a length. */
  length: number;
  /** Current views of the memory; they change when it grows. */
  bytes(): Uint8Array<ArrayBuffer>;
  view(): DataView<ArrayBuffer>;
  /** Address of a NUL-terminated text; only before the snapshot. */
  constant(text: string): number;
  /** Index of an exported function in the table. */
  indexOf(exported: string): number;
  /** Addresses of texts that are wanted in every run: chunk names, source text only (no bytecode), metafields. */
  constants: Record<'code' | 'sandbox' | 'textMode' | 'tostring' | 'name', number>;
  /** Told when the script asks for more memory than there is. */
  onRefusal(listener: () => void): void;
  /** Keeps the machine as it is now. */
  snapshot(): MachineSnapshot;
}

/** Thrown where C would longjmp; caught by `invoke_vii` only. */
const LONGJMP = Object.freeze({ longjmp: true });

/** Pages of a guest that may use `memoryBytes` above what the interpreter itself needs. */
export function maximumPages(memoryBytes: number): number {
  return Math.min(INITIAL_PAGES + Math.ceil(memoryBytes / PAGE), 32768);
}

/** Instantiates Lua with no way out of it but the given functions, a clock and nothing else. */
export function createMachine(kit: LuaKit, host: Partial<HostFunctions>, now: () => number): Machine {
  const memory = new Memory({ initial: INITIAL_PAGES, maximum: maximumPages(kit.memoryBytes) });
  let bytes = new Uint8Array(memory.buffer);
  let view = new DataView(memory.buffer);
  const refresh = (): void => {
    if (bytes.buffer === memory.buffer) return;
    bytes = new Uint8Array(memory.buffer);
    view = new DataView(memory.buffer);
  };
  const currentBytes = () => {
    refresh();
    return bytes;
  };
  const currentView = () => {
    refresh();
    return view;
  };

  let refused = () => {};
  const refuse = () => -ENOSYS;
  const imports = {
    env: {
      memory,
      abort: () => {
        throw new Error('Lua aborted');
      },
      exit: () => {
        throw new Error('Lua exited');
      },
      system: refuse,
      invoke_vii: (fn: number, a: number, b: number) => {
        const stack = api.stackSave();
        try {
          (functions.get(fn) as (a: number, b: number) => void)(a, b);
        } catch (thrown) {
          api.stackRestore(stack);
          if (thrown !== LONGJMP) throw thrown;
          api.setThrew(1, 0);
        }
      },
      _emscripten_throw_longjmp: () => {
        throw LONGJMP;
      },
      emscripten_resize_heap: (wanted: number) => {
        const grown = grow(memory, wanted >>> 0);
        if (!grown) refused();
        return grown;
      },
      emscripten_date_now: now,
      _emscripten_get_now_is_monotonic: () => 0,
      strftime: (to: number, room: number, format: number, time: number) => {
        const memoryNow = currentBytes();
        const end = memoryNow.indexOf(0, format);
        const pattern = String.fromCharCode(...memoryNow.subarray(format, end));
        const text = formatTime(currentView(), time, pattern);
        if (text.length + 1 > room) return 0;
        for (let i = 0; i < text.length; i++) memoryNow[to + i] = text.charCodeAt(i);
        memoryNow[to + text.length] = 0;
        return text.length;
      },
      _mktime_js: (time: number) => BigInt(readTime(currentView(), time)),
      _localtime_js: (seconds: bigint, time: number) => writeTime(currentView(), time, Number(seconds)),
      _gmtime_js: (seconds: bigint, time: number) => writeTime(currentView(), time, Number(seconds)),
      _tzset_js: () => undefined,
      __syscall_openat: refuse,
      __syscall_fcntl64: refuse,
      __syscall_ioctl: refuse,
      __syscall_dup3: refuse,
      __syscall_unlinkat: refuse,
      __syscall_rmdir: refuse,
      __syscall_renameat: refuse,
      __syscall_readlinkat: refuse,
    },
    wasi_snapshot_preview1: {
      fd_write: () => ENOSYS,
      fd_read: () => ENOSYS,
      fd_close: () => ENOSYS,
      fd_seek: () => ENOSYS,
      environ_get: () => OK,
      environ_sizes_get: (count: number, size: number) => {
        currentView().setUint32(count, 0, true);
        currentView().setUint32(size, 0, true);
        return OK;
      },
    },
  };
  const instance = new Instance(kit.machine, imports);
  const api = { ...instance.exports, memory } as unknown as LuaApi;
  const functions = api.__indirect_function_table;

  const names = [...C_FUNCTIONS, CONTINUATION] as const;
  // Looked up at each call: the host's functions need the machine themselves and come after it.
  const late = Object.fromEntries(
    names.map((name) => [name, (a: number, b: number, c: number) => host[name]!(a, b, c)]),
  );
  const entries = new Instance(kit.callables, { host: late }).exports;
  const first = functions.grow(names.length);
  const table = Object.fromEntries(
    names.map((name, index) => {
      functions.set(first + index, entries[name]);
      return [name, first + index];
    }),
  ) as Machine['table'];

  api.__wasm_call_ctors();
  const length = api.malloc(8);
  const scratch = api.malloc(SCRATCH_BYTES);

  function constant(text: string): number {
    const encoded = encoder.encode(`${text}\0`);
    const at = api.malloc(encoded.length);
    currentBytes().set(encoded, at);
    return at;
  }
  const constants = {
    code: constant('=code'),
    sandbox: constant('=sandbox'),
    textMode: constant('t'),
    tostring: constant('__tostring'),
    name: constant('__name'),
  };

  return {
    api,
    table,
    scratch,
    length,
    bytes: currentBytes,
    view: currentView,
    onRefusal: (listener) => {
      refused = listener;
    },
    constant,
    constants,
    indexOf: (exported) => {
      const wanted = instance.exports[exported];
      for (let i = 0; i < first; i++) if (functions.get(i) === wanted) return i;
      throw new Error(`${exported} is not in the function table`);
    },
    snapshot: () => {
      const stack = api.stackSave();
      const kept = takeSnapshot(memory);
      return {
        restore: () => {
          if (memory.buffer.byteLength > KEEP_BYTES) return false;
          kept.restore();
          api.stackRestore(stack);
          api.setThrew(0, 0);
          return true;
        },
      };
    },
  };
}

/** Grows by a quarter, or by what is asked for near the maximum; 0 tells C that there is no more. */
function grow(memory: WebAssembly.Memory, wanted: number): number {
  const now = memory.buffer.byteLength;
  for (const bytes of [Math.max(wanted, now + now / 4), wanted]) {
    try {
      memory.grow(Math.ceil((bytes - now) / PAGE));
      return 1;
    } catch {
      // Beyond the declared maximum.
    }
  }
  return 0;
}
