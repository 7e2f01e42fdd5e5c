import type { Bridge } from '../guest.ts';
import type { Codec } from './codec.ts';
import { REGISTRY, TYPE } from './lua-api.ts';
import type { Machine } from './machine.ts';
import { MAX_SHOWN_BYTES } from './values.ts';

/** Characters of `io.write` held back while no line ends. */
const MAX_HELD = 4096;

/** What a script prints. */
export interface Output {
  begin(bridge: Bridge): void;
  /** `print` and `console.log`: the first upvalue says whether tabs stand between the values. */
  log(state: number): number;
  /** `io.write`: its text is held back until its line ends, since every logged text becomes a line. */
  write(state: number): number;
  /** Prints what is held back. */
  flush(): void;
}

/** The output of one machine. */
export function createOutput(machine: Machine, { texts, toJson }: Codec): Output {
  const { api, constants } = machine;
  let bridge: Bridge;
  let held = '';

  /** Tables as JSON unless they say themselves how they read; all else as Lua shows it. */
  function shown(state: number, index: number): string {
    const type = api.lua_type(state, index);
    if (type === TYPE.string) return texts.read(state, index, MAX_SHOWN_BYTES);
    if (
      type === TYPE.table &&
      !api.luaL_getmetafield(state, index, constants.tostring) &&
      !api.luaL_getmetafield(state, index, constants.name)
    ) {
      return toJson(state, index, true);
    }
    api.luaL_tolstring(state, index, 0);
    return texts.read(state, -1, MAX_SHOWN_BYTES);
  }

  function flush(): void {
    if (held === '') return;
    const text = held.endsWith('\n') ? held.slice(0, -1) : held;
    held = '';
    bridge.log(text);
  }

  return {
    begin: (to) => {
      bridge = to;
      held = '';
    },
    flush,
    log: (state) => {
      const separator = api.lua_toboolean(state, REGISTRY - 1) ? '\t' : ' ';
      const count = api.lua_gettop(state);
      let line = '';
      for (let i = 1; i <= count && line.length < MAX_SHOWN_BYTES; i++) {
        line += (i > 1 ? separator : '') + shown(state, i);
        api.lua_settop(state, count);
      }
      flush();
      bridge.log(line);
      return 0;
    },
    write: (state) => {
      for (let i = 1, count = api.lua_gettop(state); i <= count; i++) {
        api.luaL_tolstring(state, i, 0);
        held += texts.read(state, -1, MAX_SHOWN_BYTES);
        api.lua_settop(state, count);
        if (held.endsWith('\n') || held.length > MAX_HELD) flush();
      }
      return 0;
    },
  };
}
