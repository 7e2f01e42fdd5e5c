import { createInstance } from './instance.ts';
import { concatenate, readNumber, rewriteModule, SECTION, writeMemory, writeNumber } from './module.ts';

const PAGE_BYTES = 65_536;
/** While it is baked the interpreter may grow so far, pages. */
const BAKING_PAGES = 8192;
/** Zeros of at most this many bytes are written out rather than starting another data segment. */
const GAP_BYTES = 256;
const I32 = { type: 0x7f, constant: 0x41 } as const;
const I64 = { type: 0x7e, constant: 0x42 } as const;
const END = 0x0b;
/** Kind of an exported global in an export entry. */
const EXPORTED_GLOBAL = 3;

/**
 * Starts the interpreter once, at build time, and writes a module that begins where that one stands: initialised and
 * warmed up, its mutable globals exported so that a snapshot can be put back. Clock and randomness stand still
 * meanwhile, so that the same input gives the same bytes.
 */
export function bake(binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const open = exportGlobals(binary);
  let clock = 1_000_000_000n;
  let drawn = 0;
  const instance = createInstance(
    { module: new WebAssembly.Module(open.bytes), globals: open.names },
    {
      now: () => 0n,
      monotonic: () => (clock += 1000n),
      fill: (bytes) => {
        for (let i = 0; i < bytes.length; i++) bytes[i] = (drawn++ * 167 + 13) & 0xff;
      },
    },
  );
  instance.current.exports._initialize();
  instance.current.exports.prepare();
  const memory = new Uint8Array(instance.current.memory.buffer);
  const values = instance.current.globals.map((global) => BigInt(global.value));
  return rewriteModule(open.bytes, ({ id, start }) => {
    if (id === SECTION.memory) return writeMemory(memory.length / PAGE_BYTES, BAKING_PAGES);
    if (id === SECTION.global) return globalsWith(open.bytes, start, values);
    if (id === SECTION.data) return dataOf(memory);
    // Only instructions Go does not use need the count.
    if (id === SECTION.dataCount) return null;
    return undefined;
  });
}

function exportGlobals(binary: Uint8Array): { bytes: Uint8Array<ArrayBuffer>; names: string[] } {
  let names: string[] = [];
  const bytes = rewriteModule(binary, ({ id, start, end }) => {
    if (id === SECTION.memory) return writeMemory(readNumber(binary, start + 2)[0], BAKING_PAGES);
    if (id === SECTION.global)
      names = readGlobals(binary, start).flatMap(({ mutable }, i) => (mutable ? [`global${i}`] : []));
    if (id !== SECTION.export) return undefined;
    const [count, at] = readNumber(binary, start);
    const added = names.flatMap((name) => {
      const text = new TextEncoder().encode(name);
      return [text.length, ...text, EXPORTED_GLOBAL, ...writeNumber(Number(name.slice('global'.length)))];
    });
    return [...writeNumber(count + names.length), ...binary.subarray(at, end), ...added];
  });
  return { bytes, names };
}

/** The module's globals; Go initialises each by one integer constant. */
function readGlobals(binary: Uint8Array, start: number): { type: number; mutable: boolean }[] {
  const [count, first] = readNumber(binary, start);
  let at = first;
  return Array.from({ length: count }, () => {
    const [type, mutable, constant] = [binary[at]!, binary[at + 1] === 1, binary[at + 2]];
    if (constant !== I32.constant && constant !== I64.constant) throw new Error('an integer constant was expected');
    at += 3;
    while (binary[at]! >= 0x80) at++;
    if (binary[at + 1] !== END) throw new Error('a single constant was expected');
    at += 2;
    return { type, mutable };
  });
}

function globalsWith(binary: Uint8Array, start: number, values: readonly bigint[]): number[] {
  const globals = readGlobals(binary, start);
  if (!globals.every(({ mutable }) => mutable)) throw new Error('only mutable globals were expected');
  return [
    ...writeNumber(globals.length),
    ...globals.flatMap(({ type }, i) => [
      type,
      1,
      type === I32.type ? I32.constant : I64.constant,
      ...writeSigned(values[i]!),
      END,
    ]),
  ];
}

/** Writes what of the memory is not zero as data segments. */
function dataOf(memory: Uint8Array): Uint8Array {
  const segments: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    while (at < memory.length && memory[at] === 0) at++;
    if (at === memory.length) break;
    let last = at;
    for (let end = at; end < memory.length && end - last <= GAP_BYTES; end++) if (memory[end] !== 0) last = end;
    const bytes = memory.subarray(at, last + 1);
    segments.push(
      Uint8Array.from([0, I32.constant, ...writeSigned(BigInt(at)), END, ...writeNumber(bytes.length)]),
      bytes,
    );
    at = last + 1;
  }
  return concatenate([Uint8Array.from(writeNumber(segments.length / 2)), ...segments]);
}

function writeSigned(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}
