import { REGISTRY } from './lua-api.ts';
import type { Machine } from './machine.ts';
import type { Texts } from './texts.ts';
import { MAX_DEPTH, type References, ValueError } from './values.ts';

/** A whole number that a double may not hold, for which JSON.parse has to go the slow way. */
const LONG_INTEGER = /(?<![\d.])\d{16,}(?![\d.eE])/;
/** Range of Lua's integers; a number beyond it becomes a float, as Lua itself does it. */
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;
/** Stack slots one level of nesting takes. */
const SLOTS = 8;

/** Pushes what a JSON text says onto Lua's stack; by the codec's table (`codec.ts`). */
export type PushJson = (state: number, json: string) => void;

/** The decoder of one machine. */
export function createFromJson({ api }: Machine, texts: Texts, references: References): PushJson {
  function push(state: number, value: unknown, depth: number, inList: boolean): void {
    switch (typeof value) {
      case 'string':
        texts.push(state, value);
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
    } else if (depth >= MAX_DEPTH || !api.lua_checkstack(state, SLOTS)) {
      throw new ValueError(`the value is nested more than ${MAX_DEPTH} deep`);
    } else if (Array.isArray(value)) pushList(state, value, depth + 1);
    else pushTable(state, value as Record<string, unknown>, depth + 1);
  }

  function pushList(state: number, list: readonly unknown[], depth: number): void {
    api.lua_createtable(state, list.length, 0);
    for (let i = 0; i < list.length; i++) {
      push(state, list[i], depth, true);
      api.lua_rawseti(state, -2, BigInt(i + 1));
    }
    api.lua_rawgeti(state, REGISTRY, BigInt(references.arrayMark));
    api.lua_setmetatable(state, -2);
  }

  function pushTable(state: number, object: Record<string, unknown>, depth: number): void {
    const names = Object.keys(object);
    api.lua_createtable(state, 0, names.length);
    for (const name of names) {
      const field = object[name];
      if (field === null) continue;
      texts.push(state, name);
      push(state, field, depth, false);
      api.lua_rawset(state, -3);
    }
  }

  return (state, json) => {
    push(state, LONG_INTEGER.test(json) ? parseExactly(json) : JSON.parse(json), 0, false);
  };
}

/** The value of a JSON text with its long integers; throws a `ValueError` where it is nested too deeply to be walked. */
function parseExactly(json: string): unknown {
  try {
    return JSON.parse(json, keepInteger);
  } catch (failure) {
    if (failure instanceof RangeError) throw new ValueError(`the value is nested more than ${MAX_DEPTH} deep`);
    throw failure;
  }
}

/** JSON.parse's reviver that keeps whole numbers exact. */
function keepInteger(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}
