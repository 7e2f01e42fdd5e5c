import type { LuaApi } from './lua-api.ts';
import { type Machine, SCRATCH_BYTES } from './machine.ts';

// Taken before the worker is hardened: a machine may have to be made later.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Texts up to this length are copied letter by letter, which is faster than an encoder call. */
const SHORT = 48;

/** Moves texts between the host and Lua; UTF-8 inside, and what is not UTF-8 becomes U+FFFD outside. */
export interface Texts {
  push(state: number, text: string): void;
  /** The text (or number) at an index; at most `limit` bytes of it. A number there becomes a text. */
  read(state: number, index: number, limit?: number): string;
  /** The text of some bytes of the guest's memory. */
  at(address: number, size: number): string;
}

/** Texts of one machine. */
export function createTexts({ api, scratch, length, bytes, view }: Machine): Texts {
  function at(address: number, size: number): string {
    const memory = bytes();
    if (size <= SHORT) {
      let short = '';
      let i = 0;
      for (; i < size; i++) {
        const byte = memory[address + i]!;
        if (byte > 127) break;
        short += String.fromCharCode(byte);
      }
      if (i === size) return short;
    }
    return decoder.decode(memory.subarray(address, address + size));
  }

  return {
    at,
    read: (state, index, limit = Number.POSITIVE_INFINITY) => {
      const address = api.lua_tolstring(state, index, length);
      return at(address, Math.min(view().getUint32(length, true), limit));
    },
    push: (state, text) => {
      if (text.length <= SHORT && pushAscii(api, bytes(), scratch, state, text)) return;
      if (text.length * 3 <= SCRATCH_BYTES) {
        const { written } = encoder.encodeInto(text, bytes().subarray(scratch, scratch + SCRATCH_BYTES));
        api.lua_pushlstring(state, scratch, written);
        return;
      }
      // A buffer that Lua's collector owns: nothing leaks when the push runs out of memory.
      const room = mostBytes(text);
      const buffer = api.lua_newuserdatauv(state, room, 0);
      const { written } = encoder.encodeInto(text, bytes().subarray(buffer, buffer + room));
      api.lua_pushlstring(state, buffer, written);
      api.lua_rotate(state, -2, 1);
      api.lua_settop(state, -2);
    },
  };
}

function pushAscii(api: LuaApi, memory: Uint8Array, scratch: number, state: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return false;
    memory[scratch + i] = code;
  }
  api.lua_pushlstring(state, scratch, text.length);
  return true;
}

/** Bytes that a text takes at most: exact but for pairs of surrogates, which take four where six are counted. */
function mostBytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return bytes;
}
