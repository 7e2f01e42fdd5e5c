import { type Machine, REGISTRY, SCRATCH_BYTES, TYPE } from './machine.ts';

/** Deepest nesting of a value that crosses the boundary. */
export const MAX_DEPTH = 1000;
/** Bytes of JSON one value may become; far above `max_result_bytes`, it only protects the worker's own memory. */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Bytes of one value in a printed line. */
export const MAX_SHOWN_BYTES = 256 * 1024;
/** Integers beyond this are not exact in JSON.parse and take the slow way. */
const SAFE = Number.MAX_SAFE_INTEGER;
/** A list may have holes while at least every second place is filled; else its numbers are taken for names. */
const LIST_FILL = 2;
/** Texts up to this length are copied letter by letter, which is faster than an encoder call. */
const SHORT = 48;
const LONG_INTEGER = /-?\d{16,}/;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** A value that cannot cross; the message says which and what to do. */
export class ValueError extends Error {
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge = false) {
    super(message);
    this.name = 'ValueError';
    this.tooLarge = tooLarge;
  }
}

/** Moves values between JSON text and Lua's stack (table of edge cases: docs of `wasm/lua`, README). */
export interface Values {
  /** Pushes a text. */
  pushText(state: number, text: string): void;
  /** The text at an index, invalid UTF-8 replaced; at most `limit` bytes of it. */
  text(state: number, index: number, limit?: number): string;
  /** Pushes what the JSON text says. */
  pushJson(state: number, json: string): void;
  /** JSON text of the value at an index; `lenient` never fails: what JSON cannot carry is named in angle brackets. */
  toJson(state: number, index: number, lenient?: boolean): string;
  /** Pushes the metatable that marks lists. */
  pushArrayMark(state: number): void;
}

/** Registry references of what the host needs of a Lua state. */
export interface References {
  /** The metatable that marks lists. */
  arrayMark: number;
  /** Weak table: errors of calls → `code` and the name called, with a blank between. */
  errors: number;
  /** Metatable of those errors. */
  errorMeta: number;
  /** `math.randomseed`. */
  seed: number;
  /** The prelude's function that makes a namespace. */
  install: number;
}

/** A key of a table: its text, and how to find it again in the guest. */
type Key = { text: string; at: number; size: number; number?: number | bigint };

export function createValues(machine: Machine, references: References): Values {
  const { api, scratch, length } = machine;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let out = new Uint8Array(4096);
  let size = 0;
  let bound = MAX_JSON_BYTES;
  let markPointer = 0;
  const path: number[] = [];

  function pushText(state: number, text: string): void {
    const n = text.length;
    if (n <= SHORT) {
      const bytes = machine.bytes();
      let i = 0;
      for (; i < n; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        bytes[scratch + i] = code;
      }
      if (i === n) {
        api.lua_pushlstring(state, scratch, n);
        return;
      }
    }
    if (n * 3 <= SCRATCH_BYTES) {
      const { written } = encoder.encodeInto(text, machine.bytes().subarray(scratch, scratch + SCRATCH_BYTES));
      api.lua_pushlstring(state, scratch, written);
      return;
    }
    // A buffer that Lua's collector owns: nothing leaks when the push runs out of memory.
    const room = utf8Length(text);
    const buffer = api.lua_newuserdatauv(state, room, 0);
    const { written } = encoder.encodeInto(text, machine.bytes().subarray(buffer, buffer + room));
    api.lua_pushlstring(state, buffer, written);
    api.lua_rotate(state, -2, 1);
    api.lua_settop(state, -2);
  }

  function text(state: number, index: number, limit = Number.POSITIVE_INFINITY): string {
    const at = api.lua_tolstring(state, index, length);
    return textAt(at, Math.min(machine.view().getUint32(length, true), limit));
  }

  function textAt(at: number, n: number): string {
    const bytes = machine.bytes();
    if (n <= SHORT) {
      let short = '';
      let i = 0;
      for (; i < n; i++) {
        const byte = bytes[at + i]!;
        if (byte > 127) break;
        short += String.fromCharCode(byte);
      }
      if (i === n) return short;
    }
    return decoder.decode(bytes.subarray(at, at + n));
  }

  function pushKey(state: number, key: Key): void {
    if (typeof key.number === 'number') api.lua_pushnumber(state, key.number);
    else if (key.number !== undefined) api.lua_pushinteger(state, key.number);
    else api.lua_pushlstring(state, key.at, key.size);
  }

  function pushArrayMark(state: number): void {
    api.lua_rawgeti(state, REGISTRY, BigInt(references.arrayMark));
  }

  function pushJson(state: number, json: string): void {
    const value: unknown = LONG_INTEGER.test(json) ? JSON.parse(json, keepInteger) : JSON.parse(json);
    push(state, value, 0, false);
  }

  function push(state: number, value: unknown, depth: number, inList: boolean): void {
    switch (typeof value) {
      case 'string':
        pushText(state, value);
        return;
      case 'number':
        if (Number.isSafeInteger(value) && !Object.is(value, -0)) api.lua_pushinteger(state, BigInt(value));
        else api.lua_pushnumber(state, value);
        return;
      case 'bigint':
        if (value >= MIN_INTEGER && value <= MAX_INTEGER) api.lua_pushinteger(state, value);
        else api.lua_pushnumber(state, Number(value));
        return;
      case 'boolean':
        api.lua_pushboolean(state, value ? 1 : 0);
        return;
    }
    if (value === null || value === undefined) {
      if (inList) api.lua_pushlightuserdata(state, 0);
      else api.lua_pushnil(state);
      return;
    }
    if (depth >= MAX_DEPTH) throw new ValueError(`the value is nested more than ${MAX_DEPTH} deep`);
    if (!api.lua_checkstack(state, 8)) throw new ValueError('the value is nested too deep');
    if (Array.isArray(value)) {
      api.lua_createtable(state, value.length, 0);
      for (let i = 0; i < value.length; i++) {
        push(state, value[i], depth + 1, true);
        api.lua_rawseti(state, -2, BigInt(i + 1));
      }
      pushArrayMark(state);
      api.lua_setmetatable(state, -2);
      return;
    }
    const names = Object.keys(value as object);
    api.lua_createtable(state, 0, names.length);
    for (const name of names) {
      const field = (value as Record<string, unknown>)[name];
      if (field === null) continue;
      pushText(state, name);
      push(state, field, depth + 1, false);
      api.lua_rawset(state, -3);
    }
  }

  function room(more: number): void {
    if (size + more <= out.length) return;
    if (size + more > bound) {
      throw new ValueError(`the value is over ${MAX_JSON_BYTES / 1024 / 1024} MiB as JSON: return less of it`, true);
    }
    const larger = new Uint8Array(Math.min(Math.max(out.length * 2, size + more), bound));
    larger.set(out.subarray(0, size));
    out = larger;
  }

  function ascii(text: string): void {
    room(text.length);
    for (let i = 0; i < text.length; i++) out[size++] = text.charCodeAt(i);
  }

  /** A JSON string of bytes in the guest's memory, escaped but not yet checked for UTF-8. */
  function quoted(bytes: Uint8Array, at: number, n: number): void {
    // A control character becomes six bytes; room for that is only taken where it is needed.
    room(n + 2);
    out[size++] = 34;
    for (let i = at, end = at + n; i < end; i++) {
      const byte = bytes[i]!;
      if (byte >= 32 && byte !== 34 && byte !== 92) {
        out[size++] = byte;
        continue;
      }
      room(end - i + 7);
      out[size++] = 92;
      if (byte === 34 || byte === 92) out[size++] = byte;
      else if (byte === 10) out[size++] = 110;
      else if (byte === 13) out[size++] = 114;
      else if (byte === 9) out[size++] = 116;
      else ascii(`u00${byte < 16 ? '0' : ''}${byte.toString(16)}`);
      room(end - i + 1);
    }
    room(1);
    out[size++] = 34;
  }

  function quotedText(text: string): void {
    const bytes = encoder.encode(text);
    quoted(bytes, 0, bytes.length);
  }

  function numberText(state: number, index: number): string {
    const value = api.lua_tonumberx(state, index, 0);
    if (Math.abs(value) <= SAFE || !api.lua_isinteger(state, index)) {
      return Number.isFinite(value) ? String(value) : 'null';
    }
    return String(api.lua_tointegerx(state, index, 0));
  }

  function write(state: number, index: number, lenient: boolean): void {
    const type = api.lua_type(state, index);
    if (type === TYPE.string) {
      const at = api.lua_tolstring(state, index, length);
      quoted(machine.bytes(), at, machine.view().getUint32(length, true));
    } else if (type === TYPE.number) ascii(numberText(state, index));
    else if (type === TYPE.table) writeTable(state, api.lua_absindex(state, index), lenient);
    else if (type === TYPE.boolean) ascii(api.lua_toboolean(state, index) ? 'true' : 'false');
    else if (type === TYPE.nil || type === TYPE.light) ascii('null');
    else if (lenient) quotedText(`<${typeName(type)}>`);
    else {
      throw new ValueError(
        `a ${typeName(type)} cannot be passed out of a script${where()}: give text, numbers, booleans or tables`,
      );
    }
  }

  const trail: Key[] = [];
  function where(): string {
    if (trail.length === 0) return '';
    const shown = trail.slice(-6).map((key) => (key.number === undefined ? `.${key.text}` : `[${key.text}]`));
    return ` (at ${trail.length > 6 ? '…' : 'value'}${shown.join('')})`;
  }

  function writeTable(state: number, index: number, lenient: boolean): void {
    const pointer = api.lua_topointer(state, index);
    if (path.includes(pointer)) {
      if (lenient) {
        quotedText('<cycle>');
        return;
      }
      throw new ValueError(`the table contains itself${where()}: a value must be a tree`);
    }
    if (path.length >= MAX_DEPTH || !api.lua_checkstack(state, 8)) {
      if (lenient) {
        quotedText('<deeper>');
        return;
      }
      throw new ValueError(`the value is nested more than ${MAX_DEPTH} deep`);
    }
    path.push(pointer);
    let marked = false;
    if (api.lua_getmetatable(state, index)) {
      marked = api.lua_topointer(state, -1) === markPointer;
      api.lua_settop(state, -2);
    }
    const { keys, largest } = keysOf(state, index, lenient);
    const isList = largest >= 0 && (keys.length > 0 ? largest <= keys.length * LIST_FILL : marked);
    if (isList) {
      ascii('[');
      for (let i = 1; i <= largest; i++) {
        if (i > 1) ascii(',');
        api.lua_rawgeti(state, index, BigInt(i));
        trail.push({ text: String(i), at: 0, size: 0, number: i });
        write(state, -1, lenient);
        trail.pop();
        api.lua_settop(state, -2);
      }
      ascii(']');
    } else {
      // Sorted: a table has no order of its own, and an answer should not differ from run to run.
      keys.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
      ascii('{');
      let before: string | undefined;
      for (const key of keys) {
        if (before === key.text && !lenient) {
          throw new ValueError(`a table has both the number ${key.text} and the text "${key.text}" as keys${where()}`);
        }
        if (before !== undefined) ascii(',');
        before = key.text;
        if (key.number === undefined) quoted(machine.bytes(), key.at, key.size);
        else quotedText(key.text);
        ascii(':');
        pushKey(state, key);
        api.lua_rawget(state, index);
        trail.push(key);
        write(state, -1, lenient);
        trail.pop();
        api.lua_settop(state, -2);
      }
      ascii('}');
    }
    path.pop();
  }

  /** All keys, and the largest if all are whole numbers from 1 (0: none at all, -1: other keys too). */
  function keysOf(state: number, index: number, lenient: boolean): { keys: Key[]; largest: number } {
    const keys: Key[] = [];
    let largest = 0;
    api.lua_pushnil(state);
    while (api.lua_next(state, index)) {
      api.lua_settop(state, -2);
      const type = api.lua_type(state, -1);
      if (type === TYPE.number) {
        const value = api.lua_tonumberx(state, -1, 0);
        if (largest >= 0 && Number.isInteger(value) && value >= 1) largest = Math.max(largest, value);
        else largest = -1;
        const exact = Math.abs(value) > SAFE && api.lua_isinteger(state, -1);
        const number = exact ? api.lua_tointegerx(state, -1, 0) : value;
        keys.push({ text: numberText(state, -1), at: 0, size: 0, number });
      } else {
        largest = -1;
        if (type === TYPE.string) {
          const at = api.lua_tolstring(state, -1, length);
          const bytes = machine.view().getUint32(length, true);
          keys.push({ text: textAt(at, bytes), at, size: bytes });
        } else if (!lenient) {
          throw new ValueError(
            `a ${typeName(type)} cannot be a key of a value${where()}: keys are text or whole numbers`,
          );
        }
      }
      room(keys.length);
    }
    return { keys, largest };
  }

  return {
    pushText,
    text,
    pushJson,
    pushArrayMark,
    toJson: (state, index, lenient = false) => {
      size = 0;
      bound = lenient ? MAX_SHOWN_BYTES : MAX_JSON_BYTES;
      path.length = 0;
      trail.length = 0;
      pushArrayMark(state);
      markPointer = api.lua_topointer(state, -1);
      api.lua_settop(state, -2);
      const top = api.lua_gettop(state);
      try {
        write(state, api.lua_absindex(state, index), lenient);
      } catch (failure) {
        if (!(failure instanceof ValueError) || !lenient) throw failure;
      }
      api.lua_settop(state, top);
      const json = decoder.decode(out.subarray(0, size));
      if (out.length > 1024 * 1024) out = new Uint8Array(4096);
      return json;
    },
  };
}

/** JSON.parse's reviver that keeps integers exact which a double cannot hold. */
function keepInteger(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

function typeName(type: number): string {
  return Object.entries(TYPE).find(([, id]) => id === type)?.[0] ?? 'value';
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    // Half of a pair's four bytes; a lone surrogate becomes U+FFFD, three bytes: room for that is kept too.
    else bytes += 3;
  }
  return bytes;
}
