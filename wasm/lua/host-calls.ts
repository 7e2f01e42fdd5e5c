import { type HostFunction, UNKNOWN_FUNCTION } from '../../lib/sandbox/contract.ts';
import type { Bridge, Settled } from '../guest.ts';
import type { HostFunctions } from './callables.ts';
import { type Machine, REGISTRY, TYPE } from './machine.ts';
import type { Stack } from './stack.ts';
import { MAX_SHOWN_BYTES, type References, ValueError, type Values } from './values.ts';

/** What a yielded host call gives to `parallel`, beside its id: a pointer no script can make. */
export const CALL_MARK = 1;
/** Characters of `io.write` held back while no line ends. */
const MAX_HELD = 4096;

/** One run's traffic with the host. */
export interface HostCalls {
  /** Takes up a run. */
  begin(functions: readonly HostFunction[], bridge: Bridge): void;
  /** Names of the namespaces; their places in this list are what `member` and `members` take. */
  namespaces(): readonly string[];
  /** Asks the host about a name that the script does not have; its error's text and code. */
  ask(namespace: string, name: string): { code: string; message: string } | undefined;
  /** Prints what `io.write` still holds. */
  flush(): void;
  /** Code and called name of an error raised by a failed call, if that is what stands at the index. */
  failedCall(state: number, index: number): { code: string; called: string } | undefined;
  /** Address of the text `__tostring`. */
  tostringName: number;
  functions: Omit<HostFunctions, 'main' | 'handler' | 'text'>;
}

interface Namespace {
  name: string;
  members: Map<string, number>;
}

export function createHostCalls(machine: Machine, values: Values, stack: Stack, references: References): HostCalls {
  const { api, table } = machine;
  /** The first upvalue of the running function; the next ones lie below. */
  const UPVALUE = REGISTRY - 1;
  let bridge: Bridge;
  let namespaces: Namespace[] = [];
  let held = '';
  const tasks = new Set<number>();
  /** Settled calls nobody has taken yet, and those of them that `parallel` has not been told of. */
  const settled = new Map<number, Settled>();
  const untold: number[] = [];
  /** Yielded calls by id: the name called. */
  const yielded = new Map<number, string>();
  let functions: readonly HostFunction[] = [];
  const nameOf = (index: number) => `${functions[index]?.namespace}.${functions[index]?.snake}`;
  const names = { tostring: machine.constant('__tostring'), name: machine.constant('__name') };

  function raise(state: number, message: string): number {
    api.luaL_where(state, 1);
    const place = values.text(state, -1);
    values.pushText(state, place + message);
    return api.lua_error(state);
  }

  function field(state: number, name: string, value: string): void {
    values.pushText(state, name);
    values.pushText(state, value);
    api.lua_rawset(state, -3);
  }

  /** Raises a failed call as a table that reads as text too. Its code is noted where no script can change it. */
  function raiseCall(state: number, error: { code: string; message: string; tool?: string }, called: string): number {
    api.lua_createtable(state, 0, 4);
    field(state, 'code', error.code);
    field(state, 'message', error.message);
    if (error.tool) field(state, 'tool', error.tool);
    const line = stack.line(state);
    if (line > 0) {
      values.pushText(state, 'line');
      api.lua_pushinteger(state, BigInt(line));
      api.lua_rawset(state, -3);
    }
    api.lua_rawgeti(state, REGISTRY, BigInt(references.errorMeta));
    api.lua_setmetatable(state, -2);
    api.lua_rawgeti(state, REGISTRY, BigInt(references.errors));
    api.lua_pushvalue(state, -2);
    values.pushText(state, `${error.code} ${called}`);
    api.lua_rawset(state, -3);
    api.lua_settop(state, -2);
    return api.lua_error(state);
  }

  function deliver(state: number, answer: Settled, called: string): number {
    if (!answer.ok) return raiseCall(state, JSON.parse(answer.text), called);
    values.pushJson(state, answer.text);
    return 1;
  }

  /** Blocks until this call has settled; others that settle meanwhile are kept. */
  function await_(id: number): Settled {
    for (;;) {
      const kept = settled.get(id);
      if (kept) {
        settled.delete(id);
        const at = untold.indexOf(id);
        if (at >= 0) untold.splice(at, 1);
        return kept;
      }
      const next = bridge.wait();
      if (next.id === id) return next;
      settled.set(next.id, next);
      untold.push(next.id);
    }
  }

  /** Runs what may fail because of a value, and raises that as an error of the script. */
  function guarded(state: number, work: () => number): number {
    try {
      return work();
    } catch (failure) {
      if (failure instanceof ValueError) return raise(state, failure.message);
      throw failure;
    }
  }

  function ask(namespace: string, name: string): { code: string; message: string } | undefined {
    const answer = await_(bridge.start(UNKNOWN_FUNCTION, JSON.stringify({ namespace, name })));
    return answer.ok ? undefined : JSON.parse(answer.text);
  }

  function shown(state: number, index: number): string {
    const type = api.lua_type(state, index);
    if (type === TYPE.string) return values.text(state, index, MAX_SHOWN_BYTES);
    if (type === TYPE.table && !api.luaL_getmetafield(state, index, names.tostring)) {
      if (!api.luaL_getmetafield(state, index, names.name)) return values.toJson(state, index, true);
    }
    api.luaL_tolstring(state, index, 0);
    return values.text(state, -1, MAX_SHOWN_BYTES);
  }

  function flush(): void {
    if (held === '') return;
    const text = held.endsWith('\n') ? held.slice(0, -1) : held;
    held = '';
    bridge.log(text);
  }

  return {
    begin: (given, to) => {
      bridge = to;
      functions = given;
      yielded.clear();
      held = '';
      tasks.clear();
      settled.clear();
      untold.length = 0;
      const byName = new Map<string, Namespace>();
      functions.forEach(({ namespace, snake }, index) => {
        const entry = byName.get(namespace) ?? { name: namespace, members: new Map<string, number>() };
        byName.set(namespace, entry);
        if (!entry.members.has(snake)) entry.members.set(snake, index);
      });
      namespaces = [...byName.values()];
    },

    namespaces: () => namespaces.map(({ name }) => name),

    ask,
    flush,
    tostringName: names.tostring,

    failedCall: (state, index) => {
      const at = api.lua_absindex(state, index);
      if (api.lua_type(state, at) !== TYPE.table) return undefined;
      api.lua_rawgeti(state, REGISTRY, BigInt(references.errors));
      api.lua_pushvalue(state, at);
      const found = api.lua_rawget(state, -2) === TYPE.string ? values.text(state, -1).split(' ') : undefined;
      api.lua_settop(state, -3);
      return found && { code: found[0]!, called: found[1]! };
    },

    functions: {
      call: (state) =>
        guarded(state, () => {
          const index = api.lua_tonumberx(state, UPVALUE, 0);
          let argument = 1;
          let count = api.lua_gettop(state);
          if (count > 0 && api.lua_rawequal(state, 1, UPVALUE - 1)) {
            // Written with a colon: the namespace itself comes first.
            argument = 2;
            count--;
          }
          const given = count > 0 && api.lua_type(state, argument) !== TYPE.nil;
          const args = given ? values.toJson(state, argument) : '{}';
          const id = bridge.start(index, args);
          if (tasks.has(state) && api.lua_isyieldable(state)) {
            yielded.set(id, nameOf(index));
            api.lua_pushlightuserdata(state, CALL_MARK);
            api.lua_pushinteger(state, BigInt(id));
            return api.lua_yieldk(state, 2, id, table.resumed);
          }
          return deliver(state, await_(id), nameOf(index));
        }),

      resumed: (state, _status, id) => guarded(state, () => deliver(state, await_(id), yielded.get(id) ?? '')),

      // (id of a namespace, name, its table): the function, or the host's answer as an error.
      member: (state) => {
        const namespace = namespaces[api.lua_tonumberx(state, 1, 0)]!;
        const name = values.text(state, 2, MAX_SHOWN_BYTES);
        const index = namespace.members.get(name);
        if (index === undefined) {
          const error = ask(namespace.name, name);
          return error ? raiseCall(state, error, `${namespace.name}.${name}`) : 0;
        }
        api.lua_pushinteger(state, BigInt(index));
        api.lua_pushvalue(state, 3);
        api.lua_pushcclosure(state, table.call, 2);
        return 1;
      },

      // (id of a namespace): the list of its names.
      members: (state) => {
        const namespace = namespaces[api.lua_tonumberx(state, 1, 0)]!;
        values.pushJson(state, JSON.stringify([...namespace.members.keys()]));
        return 1;
      },

      log: (state) => {
        flush();
        const separator = api.lua_toboolean(state, UPVALUE) ? '\t' : ' ';
        const count = api.lua_gettop(state);
        let line = '';
        for (let i = 1; i <= count; i++) {
          line += (i > 1 ? separator : '') + shown(state, i);
          api.lua_settop(state, count);
          if (line.length > MAX_SHOWN_BYTES) break;
        }
        bridge.log(line);
        return 0;
      },

      write: (state) => {
        for (let i = 1, count = api.lua_gettop(state); i <= count; i++) {
          api.luaL_tolstring(state, i, 0);
          held += values.text(state, -1, MAX_SHOWN_BYTES);
          api.lua_settop(state, count);
          if (held.endsWith('\n') || held.length > MAX_HELD) flush();
        }
        return 0;
      },

      wait: (state) => {
        let id = untold.shift();
        if (id === undefined) {
          const next = bridge.wait();
          settled.set(next.id, next);
          id = next.id;
        }
        api.lua_pushinteger(state, BigInt(id));
        return 1;
      },

      task: (state) => {
        const thread = api.lua_tothread(state, 1);
        if (api.lua_toboolean(state, 2)) tasks.add(thread);
        else tasks.delete(thread);
        return 0;
      },
    },
  };
}
