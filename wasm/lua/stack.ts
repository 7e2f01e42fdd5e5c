import { CHUNK } from './callables.ts';
import type { Machine } from './machine.ts';

/** Bytes of C's `lua_Debug`, and where its fields `source` and `currentline` lie. */
const RECORD_BYTES = 128;
const SOURCE = 16;
const CURRENT_LINE = 24;
/** Levels searched for a line of the script. */
const LEVELS = 40;
/** Calls under way from which a lack of memory is taken for endless recursion. */
const DEEP = 100_000;

/** Reads Lua's call stack, allocating nothing in the guest. */
export interface Stack {
  /** Line (from 1) of the script's innermost call under way; 0 where there is none. */
  line(state: number): number;
  /** Safe even while Lua moves its stack, when `line` is not: whether calls are nested so deeply that a script must be calling itself without an end. */
  isDeep(state: number): boolean;
}

export function createStack(machine: Machine): Stack {
  const { api } = machine;
  const record = api.malloc(RECORD_BYTES);
  const what = machine.constant('Sl');
  const wanted = `=${CHUNK}`;
  return {
    line: (state) => {
      for (let level = 0; level < LEVELS && api.lua_getstack(state, level, record); level++) {
        api.lua_getinfo(state, what, record);
        const view = machine.view();
        const source = view.getUint32(record + SOURCE, true);
        let same = true;
        for (let i = 0; i < wanted.length && same; i++) same = view.getUint8(source + i) === wanted.charCodeAt(i);
        if (same) return Math.max(0, view.getInt32(record + CURRENT_LINE, true));
      }
      return 0;
    },
    isDeep: (state) => api.lua_getstack(state, DEEP, record) === 1,
  };
}
