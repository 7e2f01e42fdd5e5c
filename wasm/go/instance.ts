import { createAnswers } from './answers.ts';
import { type GoKit, PAGE_BYTES } from './kit.ts';
import { openSnapshot, type Snapshotable } from './snapshot.ts';
import { createWasi, type GuestMemory } from './wasi.ts';

/** Taken hold of here: a hardened worker has no `WebAssembly` left. */
const { Instance: WasmInstance } = WebAssembly;

/** The functions the guest exports (`guest/main.go`). */
interface GuestExports {
  _initialize(): void;
  prepare(): void;
  reserve(size: number): number;
  run(): void;
}

/** How the guest said its run ended (`guest/host.go`). */
export const RESULT = { failed: 0, value: 1, empty: 2, started: 3 } as const;

/** One instance of the interpreter's module and what has come out of it since `begin`. */
export interface Instance {
  readonly exports: GuestExports;
  readonly memory: GuestMemory;
  readonly answers: ReturnType<typeof createAnswers>;
  readonly heard: Heard;
  /** Puts the initialised state back; instantiates anew where the memory has grown, for it cannot shrink. */
  restore(): void;
}

/** What a run has said so far. */
export interface Heard {
  kind: number;
  text: string;
  errorText: string;
  panic: { line: number; column: number } | undefined;
  log(text: string): void;
}

/** Makes an instance that is initialised and ready to run: from the kit's snapshot if it has one. */
export function createInstance(kit: GoKit): Instance {
  const snapshot = openSnapshot(kit);
  const decoder = new TextDecoder();
  const answers = createAnswers();
  const heard: Heard & { text: string } = { kind: -1, text: '', errorText: '', panic: undefined, log: () => {} };
  const errors = {
    get text() {
      return heard.errorText;
    },
    set text(text: string) {
      heard.errorText = text;
    },
  };
  let current: Snapshotable & { exports: GuestExports };
  const memory: GuestMemory = {
    bytes: () => new Uint8Array(current.memory.buffer),
    view: () => new DataView(current.memory.buffer),
  };
  const read = (at: number, size: number) => decoder.decode(memory.bytes().subarray(at, at + size));
  let settled = { ok: false, bytes: new Uint8Array(0) };
  const encoder = new TextEncoder();
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
  const wasi = createWasi(memory, answers, errors);
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {
    codemode: host,
    wasi_snapshot_preview1: {},
  };
  for (const { module, name } of WebAssembly.Module.imports(kit.module)) {
    if (module === 'wasi_snapshot_preview1') imports[module]![name] = wasi(name);
  }

  function instantiate() {
    const { exports } = new WasmInstance(kit.module, imports);
    current = {
      exports: exports as unknown as GuestExports,
      memory: exports['memory'] as WebAssembly.Memory,
      globals: kit.globals.map((name) => exports[name] as WebAssembly.Global),
    };
  }

  function restore() {
    const surplus = current.memory.buffer.byteLength / PAGE_BYTES - snapshot.pages();
    if (surplus > 0) instantiate();
    const missing = snapshot.pages() - current.memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) current.memory.grow(missing);
    snapshot.restore(current);
  }

  instantiate();
  if (!snapshot.ready()) {
    current!.exports._initialize();
    current!.exports.prepare();
    snapshot.capture(current!);
  }
  restore();
  return {
    get exports() {
      return current.exports;
    },
    memory,
    answers,
    heard,
    restore,
  };
}
