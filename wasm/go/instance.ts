import { type Answers, createAnswers } from './answers.ts';
import { createWasi, type GuestMemory, type Sources } from './wasi.ts';

/** Taken hold of here: a hardened worker has no `WebAssembly` left. */
const { Instance: WasmInstance, Module: WasmModule } = WebAssembly;

/** The functions the guest exports (`guest/main.go`); the first two only while it is built. */
interface GuestExports {
  _initialize(): void;
  prepare(): void;
  reserve(size: number): number;
  run(): void;
}

/** How the guest said its run ended (`guest/host.go`). */
export const RESULT = { failed: 0, value: 1, empty: 2, started: 3 } as const;

/** Longest text kept of what Go's runtime says when it dies, characters. */
const MAX_ERROR_TEXT = 16_384;

/** What a run has said so far. */
export interface Heard {
  /** One of `RESULT`, or -1. */
  kind: number;
  text: string;
  /** What Go's runtime printed: it does so only when it dies. */
  errorText: string;
  /** Where the last panic started. */
  panic: { line: number; column: number } | undefined;
  log(text: string): void;
}

/** A wasm instance as far as a snapshot is concerned, and its functions. */
export interface Instantiated {
  exports: GuestExports;
  memory: WebAssembly.Memory;
  globals: WebAssembly.Global[];
}

/** An instance of the interpreter's module with its imports. */
export interface Instance {
  /** Changes with `renew`. */
  readonly current: Instantiated;
  readonly memory: GuestMemory;
  readonly answers: Answers;
  readonly heard: Heard;
  /** Throws the instance away for a new one, in the state the module starts with. */
  renew(): void;
}

/** Instantiates the interpreter; `globals` are the names its mutable globals are exported under. */
export function createInstance(
  code: { module: WebAssembly.Module; globals: readonly string[] },
  sources: Sources,
): Instance {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const answers = createAnswers();
  const heard: Heard = { kind: -1, text: '', errorText: '', panic: undefined, log: () => {} };
  const memory: GuestMemory = {
    bytes: () => new Uint8Array(current.memory.buffer),
    view: () => new DataView(current.memory.buffer),
  };
  const read = (at: number, size: number) => decoder.decode(memory.bytes().subarray(at, at + size));
  let settled = { ok: false, bytes: new Uint8Array(0) };
  const host = {
    start: (index: number, at: number, size: number) => answers.start(index, read(at, size)),
    wait() {
      const answer = answers.take();
      settled = { ok: answer.ok, bytes: encoder.encode(answer.text) };
      return answer.id;
    },
    ok: () => (settled.ok ? 1 : 0),
    size: () => settled.bytes.length,
    take: (to: number) => memory.bytes().set(settled.bytes, to),
    log: (at: number, size: number) => heard.log(read(at, size)),
    result(kind: number, at: number, size: number) {
      heard.kind = kind;
      heard.text = read(at, size);
    },
    panic(line: number, column: number) {
      heard.panic = { line, column };
    },
  };
  const wasi = createWasi(memory, answers, sources, (text) => {
    if (heard.errorText.length < MAX_ERROR_TEXT) heard.errorText += text;
  });
  const granted: Record<string, WebAssembly.ImportValue> = {};
  for (const { module, name } of WasmModule.imports(code.module)) if (module !== 'codemode') granted[name] = wasi(name);

  function instantiate(): Instantiated {
    const { exports } = new WasmInstance(code.module, { codemode: host, wasi_snapshot_preview1: granted });
    return {
      exports: exports as unknown as GuestExports,
      memory: exports['memory'] as WebAssembly.Memory,
      globals: code.globals.map((name) => exports[name] as WebAssembly.Global),
    };
  }

  let current = instantiate();
  return {
    get current() {
      return current;
    },
    memory,
    answers,
    heard,
    renew() {
      current = instantiate();
    },
  };
}
