import { REGISTRY, TYPE } from './lua-api.ts';
import type { Machine } from './machine.ts';
import type { Texts } from './texts.ts';
import { MAX_DEPTH, MAX_JSON_BYTES, MAX_SHOWN_BYTES, type References, ValueError } from './values.ts';

// Taken before the worker is hardened: a machine may have to be made later.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A list may have holes while at least every second place is filled; else its numbers are taken for names. */
const LIST_FILL = 2;
/** Stack slots one level of nesting takes. */
const SLOTS = 8;
/** Bytes a writer begins with, and how large a one is kept for the next value. */
const FIRST_BYTES = 4096;
const KEEP_BYTES = 1024 * 1024;
/** Steps of a value's place that an error names. */
const SHOWN_STEPS = 6;

/** JSON text of the value at an index; `lenient`, for logs, never fails: what JSON cannot carry is named in brackets. */
export type ToJson = (state: number, index: number, lenient?: boolean) => string;

/** A key of a table: its text, and how to find it again in the guest. */
interface Key {
  text: string;
  at: number;
  size: number;
  number?: number | bigint;
}

/** The state of one encoding. Each has its own: a finalizer of the script may begin another in the middle of it. */
interface Writer {
  out: Uint8Array<ArrayBuffer>;
  size: number;
  bound: number;
  lenient: boolean;
  /** Addresses of the tables around, and the steps that led here. */
  path: number[];
  steps: (string | number | bigint)[];
}

/** The encoder of one machine. */
export function createToJson(machine: Machine, texts: Texts, references: References): ToJson {
  const { api, length } = machine;
  let spare: Writer | undefined;

  function write(w: Writer, state: number, index: number): void {
    const type = api.lua_type(state, index);
    if (type === TYPE.string) {
      const at = api.lua_tolstring(state, index, length);
      quote(w, machine.bytes(), at, machine.view().getUint32(length, true));
    } else if (type === TYPE.number) ascii(w, numberText(state, index));
    else if (type === TYPE.table) writeTable(w, state, api.lua_absindex(state, index));
    else if (type === TYPE.boolean) ascii(w, api.lua_toboolean(state, index) ? 'true' : 'false');
    else if (type === TYPE.nil || type === TYPE.light) ascii(w, 'null');
    else {
      const name = typeName(type);
      refuse(
        w,
        `<${name}>`,
        () => `a ${name} cannot be passed out of a script: give text, numbers, booleans or tables`,
      );
    }
  }

  /** Writes a note in the value's place where that is allowed, else throws. */
  function refuse(w: Writer, note: string, message: () => string): void {
    if (!w.lenient) throw new ValueError(message() + place(w));
    const bytes = encoder.encode(note);
    quote(w, bytes, 0, bytes.length);
  }

  function writeTable(w: Writer, state: number, index: number): void {
    const pointer = api.lua_topointer(state, index);
    if (w.path.includes(pointer)) {
      refuse(w, '<cycle>', () => 'the table contains itself: a value must be a tree');
      return;
    }
    if (w.path.length >= MAX_DEPTH || !api.lua_checkstack(state, SLOTS)) {
      refuse(w, '<deeper>', () => `the value is nested more than ${MAX_DEPTH} deep`);
      return;
    }
    w.path.push(pointer);
    const listed = listLength(state, index);
    if (listed >= 0) writeList(w, state, index, listed);
    else writeObject(w, state, index);
    w.path.pop();
  }

  /** Places of the list that a table is, or -1: it is an object. */
  function listLength(state: number, index: number): number {
    let count = 0;
    let largest = 0;
    api.lua_pushnil(state);
    while (api.lua_next(state, index)) {
      api.lua_settop(state, -2);
      const key = api.lua_type(state, -1) === TYPE.number ? api.lua_tonumberx(state, -1, 0) : 0;
      if (!(key >= 1 && Number.isInteger(key))) {
        api.lua_settop(state, -2);
        return -1;
      }
      count++;
      if (key > largest) largest = key;
    }
    if (count > 0) return largest <= count * LIST_FILL ? largest : -1;
    return isMarked(state, index) ? 0 : -1;
  }

  function isMarked(state: number, index: number): boolean {
    if (!api.lua_getmetatable(state, index)) return false;
    api.lua_rawgeti(state, REGISTRY, BigInt(references.arrayMark));
    const same = api.lua_rawequal(state, -1, -2) === 1;
    api.lua_settop(state, -3);
    return same;
  }

  function writeList(w: Writer, state: number, index: number, places: number): void {
    ascii(w, '[');
    for (let i = 1; i <= places; i++) {
      if (i > 1) ascii(w, ',');
      api.lua_rawgeti(state, index, BigInt(i));
      w.steps.push(i);
      write(w, state, -1);
      w.steps.pop();
      api.lua_settop(state, -2);
    }
    ascii(w, ']');
  }

  function writeObject(w: Writer, state: number, index: number): void {
    // Sorted: a table has no order of its own, and an answer should not differ from run to run.
    const keys = keysOf(w, state, index).sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    ascii(w, '{');
    let before: string | undefined;
    for (const key of keys) {
      if (before === key.text && !w.lenient) {
        throw new ValueError(
          `a table has two keys that are both "${key.text}" as text, a number among them${place(w)}`,
        );
      }
      if (before !== undefined) ascii(w, ',');
      before = key.text;
      if (key.number === undefined) {
        quote(w, machine.bytes(), key.at, key.size);
        api.lua_pushlstring(state, key.at, key.size);
      } else {
        ascii(w, `"${key.text}"`);
        if (typeof key.number === 'number') api.lua_pushnumber(state, key.number);
        else api.lua_pushinteger(state, key.number);
      }
      ascii(w, ':');
      api.lua_rawget(state, index);
      w.steps.push(key.number ?? key.text);
      write(w, state, -1);
      w.steps.pop();
      api.lua_settop(state, -2);
    }
    ascii(w, '}');
  }

  function keysOf(w: Writer, state: number, index: number): Key[] {
    const keys: Key[] = [];
    api.lua_pushnil(state);
    while (api.lua_next(state, index)) {
      api.lua_settop(state, -2);
      const type = api.lua_type(state, -1);
      if (type === TYPE.string) {
        const at = api.lua_tolstring(state, -1, length);
        const size = machine.view().getUint32(length, true);
        keys.push({ text: texts.at(at, size), at, size });
      } else if (type === TYPE.number) {
        const value = api.lua_tonumberx(state, -1, 0);
        const exact = Number.isSafeInteger(value) || !api.lua_isinteger(state, -1);
        const number = exact ? value : api.lua_tointegerx(state, -1, 0);
        keys.push({ text: String(number), at: 0, size: 0, number });
      } else if (!w.lenient) {
        throw new ValueError(`a ${typeName(type)} cannot be a key of a value: keys are text or numbers${place(w)}`);
      }
      // Each will take some bytes: a table too large to write is not even collected.
      room(w, keys.length * 4);
    }
    return keys;
  }

  function numberText(state: number, index: number): string {
    const value = api.lua_tonumberx(state, index, 0);
    if (Number.isSafeInteger(value) || !api.lua_isinteger(state, index)) {
      return Number.isFinite(value) ? String(value) : 'null';
    }
    return String(api.lua_tointegerx(state, index, 0));
  }

  return (state, index, lenient = false) => {
    const w = spare ?? { out: new Uint8Array(FIRST_BYTES), size: 0, bound: 0, lenient, path: [], steps: [] };
    spare = undefined;
    w.size = 0;
    w.lenient = lenient;
    w.bound = lenient ? MAX_SHOWN_BYTES : MAX_JSON_BYTES;
    w.path.length = 0;
    w.steps.length = 0;
    const top = api.lua_gettop(state);
    try {
      write(w, state, api.lua_absindex(state, index));
    } catch (failure) {
      if (!(failure instanceof ValueError) || !lenient) throw failure;
      // Larger than a log line may be: what fitted is shown.
    }
    api.lua_settop(state, top);
    const json = decoder.decode(w.out.subarray(0, w.size));
    if (w.out.length <= KEEP_BYTES) spare = w;
    return json;
  };
}

function place({ steps }: Writer): string {
  if (steps.length === 0) return '';
  const shown = steps.slice(-SHOWN_STEPS).map((step) => (typeof step === 'string' ? `.${step}` : `[${step}]`));
  return ` (at ${steps.length > SHOWN_STEPS ? '…' : 'value'}${shown.join('')})`;
}

function typeName(type: number): string {
  return Object.entries(TYPE).find(([, id]) => id === type)?.[0] ?? 'value';
}

function room(w: Writer, more: number): void {
  if (w.size + more <= w.out.length) return;
  if (w.size + more > w.bound) {
    throw new ValueError(`it is over ${w.bound / 1024 / 1024} MiB as JSON: give less of it`, true);
  }
  const larger = new Uint8Array(Math.min(Math.max(w.out.length * 2, w.size + more), w.bound));
  larger.set(w.out.subarray(0, w.size));
  w.out = larger;
}

function ascii(w: Writer, text: string): void {
  room(w, text.length);
  for (let i = 0; i < text.length; i++) w.out[w.size++] = text.charCodeAt(i);
}

/** A JSON string of UTF-8 bytes, escaped; the final decoding replaces what is not UTF-8. */
function quote(w: Writer, bytes: Uint8Array, at: number, size: number): void {
  room(w, size + 2);
  w.out[w.size++] = 34;
  for (let i = at, end = at + size; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= 32 && byte !== 34 && byte !== 92) {
      w.out[w.size++] = byte;
      continue;
    }
    // An escape is up to six bytes; room for the rest of the text and the quote is kept.
    room(w, end - i + 6);
    w.out[w.size++] = 92;
    if (byte >= 32) w.out[w.size++] = byte;
    else if (byte === 10) w.out[w.size++] = 110;
    else if (byte === 13) w.out[w.size++] = 114;
    else if (byte === 9) w.out[w.size++] = 116;
    else ascii(w, `u00${byte < 16 ? '0' : ''}${byte.toString(16)}`);
  }
  room(w, 1);
  w.out[w.size++] = 34;
}
