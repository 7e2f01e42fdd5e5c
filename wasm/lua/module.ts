import { readBinaryAsset, readTextAsset } from '../assets.ts';
import type { PrepareKit } from '../guest.ts';
import { callablesModule } from './callables.ts';

/** All that a Lua guest is made of. */
export interface LuaKit {
  /** Lua 5.4 with its memory imported. */
  machine: WebAssembly.Module;
  /** Turns JavaScript functions into entries of Lua's function table. */
  callables: WebAssembly.Module;
  /** Text of `prelude.lua`. */
  prelude: string;
  /** Bytes a script may use above the interpreter's own need. */
  memoryBytes: number;
}

const IMPORT_SECTION = 2;
const MEMORY_SECTION = 5;
const MEMORY_KIND = 2;
/** Magic number and version. */
const HEADER_BYTES = 8;

/** Wasm pages (64 KiB) a guest begins with: 35 KiB of data, 1 MiB of C stack, the libraries and a little room. */
export const INITIAL_PAGES = 24;
/** The binary is linked for at most 2 GiB; the memory handed in declares the real maximum. */
const LINKED_PAGES = 32768;

/** Reads wasmoon's binary and our prelude, and compiles them. */
export const prepareLuaKit: PrepareKit<LuaKit> = async (memoryBytes) => {
  const [binary, prelude] = await Promise.all([readBinaryAsset('lua'), readTextAsset('luaPrelude')]);
  const machine = await WebAssembly.compile(importMemory(binary));
  return { machine, callables: callablesModule(), prelude, memoryBytes };
};

/**
 * Makes a module import `env.memory` instead of defining it: the maximum is then declared by whoever instantiates it, and
 * one compiled module serves every memory limit. A memory import shifts no function index.
 */
function importMemory(binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const entry = [...name('env'), ...name('memory'), MEMORY_KIND, 1, ...leb(INITIAL_PAGES), ...leb(LINKED_PAGES)];
  const parts: Uint8Array[] = [binary.subarray(0, HEADER_BYTES)];
  for (let at = HEADER_BYTES; at < binary.length; ) {
    const id = binary[at]!;
    const size = readLeb(binary, at + 1);
    const end = size.next + size.value;
    if (id === IMPORT_SECTION) {
      const count = readLeb(binary, size.next);
      const imports = [...leb(count.value + 1), ...binary.subarray(count.next, end), ...entry];
      parts.push(new Uint8Array([id, ...leb(imports.length), ...imports]));
    } else if (id !== MEMORY_SECTION) parts.push(binary.subarray(at, end));
    at = end;
  }
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function readLeb(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value: value >>> 0, next: at };
  }
}

/** Unsigned LEB128, the integers of the wasm format. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}
