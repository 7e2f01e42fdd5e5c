import type { HostFunctions } from './callables.ts';
import { type Codec, createCodec } from './codec.ts';
import { CALL_MARK, createHostCalls, type HostCalls } from './host-calls.ts';
import { createJsonLibrary } from './json-library.ts';
import { type LuaApi, OK, REGISTRY } from './lua-api.ts';
import { createMachine, type Machine } from './machine.ts';
import type { LuaKit } from './module.ts';
import { createOutput, type Output } from './output.ts';
import { createStack, type Stack } from './stack.ts';
import type { References } from './values.ts';

/** The libraries a script gets, under their global names; the prelude takes things out of them. */
const LIBRARIES = {
  _G: 'base',
  coroutine: 'coroutine',
  table: 'table',
  string: 'string',
  utf8: 'utf8',
  math: 'math',
  os: 'os',
};

/** Lua with our prelude, in a machine of its own. */
export interface Interpreter {
  machine: Machine;
  api: LuaApi;
  codec: Codec;
  calls: HostCalls;
  output: Output;
  stack: Stack;
  references: References;
  /** The main thread of the present Lua state. */
  state(): number;
  /** Puts a fresh state in place of the old one. False: the memory has grown so much that a new machine is better. */
  renew(): boolean;
  /** Compiles a text and leaves the function, or the message, on the stack. */
  load(text: string, name: 'code' | 'sandbox'): number;
}

/** Runs that begin from one opened state. */
const RUNS_PER_SEED = 64;

/**
 * Starts Lua. Opening a state costs more than most scripts, so that runs begin from a copy of one; but with it they share
 * the random seed of its string hashes, which a script could learn and use against a later one: so only a few runs do.
 */
export function createInterpreter(
  kit: LuaKit,
  own: Pick<HostFunctions, 'main' | 'handler' | 'text'>,
  random: (count: number) => Uint32Array<ArrayBuffer>,
): Interpreter {
  const references: References = { arrayMark: 0, errors: 0, errorMeta: 0, seed: 0, install: 0 };
  const host: Partial<HostFunctions> = { ...own };
  // Lua takes that seed from the time of day: while a state opens, the time is a random one.
  let opening = false;
  const now = () => (opening ? random(1)[0]! * 1000 : Date.now());
  const machine = createMachine(kit, host, now);
  const { api, table, constants } = machine;
  const codec = createCodec(machine, references);
  const { texts } = codec;
  const stack = createStack(machine);
  const calls = createHostCalls(machine, codec, stack, references);
  const output = createOutput(machine, codec);
  Object.assign(host, calls.functions, createJsonLibrary(machine, codec), { log: output.log, write: output.write });
  const libraries = Object.entries(LIBRARIES).map(([name, library]) => ({
    name: machine.constant(name),
    open: machine.indexOf(`luaopen_${library}`),
  }));
  const prelude = machine.constant(kit.prelude);
  const preludeSize = machine.bytes().indexOf(0, prelude) - prelude;
  const bare = machine.snapshot();
  let state = open();
  let ready = machine.snapshot();
  let runs = 0;

  function open(): number {
    opening = true;
    const fresh = api.luaL_newstate();
    opening = false;
    for (const library of libraries) {
      api.luaL_requiref(fresh, library.name, library.open, 1);
      api.lua_settop(fresh, 0);
    }
    const reference = () => api.luaL_ref(fresh, REGISTRY);
    api.lua_createtable(fresh, 0, 0);
    references.arrayMark = reference();
    // Errors of calls → what is known of them; weak, or every caught error would stay.
    api.lua_createtable(fresh, 0, 0);
    api.lua_createtable(fresh, 0, 1);
    texts.push(fresh, '__mode');
    texts.push(fresh, 'k');
    api.lua_rawset(fresh, -3);
    api.lua_setmetatable(fresh, -2);
    references.errors = reference();

    if (api.luaL_loadbufferx(fresh, prelude, preludeSize, constants.sandbox, constants.textMode) !== OK) {
      throw new Error(`prelude: ${texts.read(fresh, -1)}`);
    }
    for (const tabs of [1, 0]) {
      api.lua_pushboolean(fresh, tabs);
      api.lua_pushcclosure(fresh, table.log, 1);
    }
    const plain = ['write', 'wait', 'task', 'member', 'members', 'encode', 'decode'] as const;
    for (const name of plain) api.lua_pushcclosure(fresh, table[name], 0);
    api.lua_pushlightuserdata(fresh, CALL_MARK);
    api.lua_rawgeti(fresh, REGISTRY, BigInt(references.arrayMark));
    api.lua_pushlightuserdata(fresh, 0);
    if (api.lua_pcallk(fresh, plain.length + 5, 3, 0, 0, 0) !== OK) {
      throw new Error(`prelude: ${texts.read(fresh, -1)}`);
    }
    references.install = reference();
    references.seed = reference();
    references.errorMeta = reference();
    api.lua_settop(fresh, 0);
    return fresh;
  }

  return {
    machine,
    api,
    codec,
    calls,
    output,
    stack,
    references,
    state: () => state,
    renew: () => {
      if (++runs % RUNS_PER_SEED !== 0) return ready.restore();
      if (!bare.restore()) return false;
      state = open();
      ready = machine.snapshot();
      return true;
    },
    load: (text, name) => {
      texts.push(state, text);
      const at = api.lua_tolstring(state, -1, machine.length);
      const size = machine.view().getUint32(machine.length, true);
      const status = api.luaL_loadbufferx(state, at, size, constants[name], constants.textMode);
      // Takes the text away from under the function or message.
      api.lua_rotate(state, -2, 1);
      api.lua_settop(state, -2);
      return status;
    },
  };
}
