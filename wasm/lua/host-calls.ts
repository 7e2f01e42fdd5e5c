import { type HostFunction, UNKNOWN_FUNCTION } from '../../lib/sandbox/contract.ts';
import type { Bridge, Settled } from '../guest.ts';
import type { HostFunctions } from './callables.ts';
import { type CallsUnderWay, openCalls } from './calls-under-way.ts';
import type { Codec } from './codec.ts';
import { REGISTRY, TYPE } from './lua-api.ts';
import type { Machine } from './machine.ts';
import type { Stack } from './stack.ts';
import { type References, ValueError } from './values.ts';

/** What a yielded host call gives to `parallel`, beside its id: a pointer no script can make. */
export const CALL_MARK = 1;
/** Bytes of an unknown name that the host is told. */
const MAX_NAME_BYTES = 200;
/** Lua's own words, so that it ends as every lack of memory does. */
const NO_MEMORY = 'not enough memory';
const STUCK = 'parallel: its functions wait for each other';

/** An error as the host gives it. */
interface CallError {
  code: string;
  message: string;
  tool?: string;
}

/** One run's traffic with the host. */
export interface HostCalls {
  /** Takes up a run. */
  begin(functions: readonly HostFunction[], bridge: Bridge): void;
  /** Names of the namespaces; their places in this list are what `member` and `members` take. */
  namespaces(): readonly string[];
  /** All functions of the run. */
  known(): readonly HostFunction[];
  /** Asks the host about a name that the script does not have; the error it answers with. */
  ask(namespace: string, name: string): CallError | undefined;
  /** Code and called name of an error raised by a failed call, if that is what stands at the index. */
  failedCall(state: number, index: number): { code: string; called: string } | undefined;
  functions: Pick<HostFunctions, 'call' | 'resumed' | 'member' | 'members' | 'wait' | 'task'>;
}

interface Namespace {
  name: string;
  members: Map<string, number>;
}

/** The host's side of every call a script makes. */
export function createHostCalls(
  { api, table }: Machine,
  { texts, pushJson, toJson }: Codec,
  stack: Stack,
  references: References,
): HostCalls {
  /** The first upvalue of the running function; the next ones lie below. */
  const UPVALUE = REGISTRY - 1;
  let functions: readonly HostFunction[] = [];
  let namespaces: Namespace[] = [];
  let calls: CallsUnderWay;
  /** Threads that `parallel` runs: a call in one of them yields instead of blocking. */
  const tasks = new Set<number>();
  /** Yielded calls: which function. */
  const yielded = new Map<number, number>();

  const nameOf = (index: number) => `${functions[index]?.namespace}.${functions[index]?.snake}`;

  function raise(state: number, message: string): number {
    api.luaL_where(state, 1);
    const place = texts.read(state, -1);
    texts.push(state, place + message);
    return api.lua_error(state);
  }

  function field(state: number, name: string, value: string): void {
    texts.push(state, name);
    texts.push(state, value);
    api.lua_rawset(state, -3);
  }

  /** Raises a failed call as a table that reads as text too. Its code is noted where no script can change it. */
  function raiseCall(state: number, { code, message, tool }: CallError, called: string): number {
    api.lua_createtable(state, 0, 4);
    field(state, 'code', code);
    field(state, 'message', message);
    if (tool) field(state, 'tool', tool);
    const line = stack.line(state);
    if (line > 0) {
      texts.push(state, 'line');
      api.lua_pushinteger(state, BigInt(line));
      api.lua_rawset(state, -3);
    }
    api.lua_rawgeti(state, REGISTRY, BigInt(references.errorMeta));
    api.lua_setmetatable(state, -2);
    api.lua_rawgeti(state, REGISTRY, BigInt(references.errors));
    api.lua_pushvalue(state, -2);
    texts.push(state, `${code} ${called}`);
    api.lua_rawset(state, -3);
    api.lua_settop(state, -2);
    return api.lua_error(state);
  }

  /** Gives a call's answer to the script. */
  function deliver(state: number, answer: Settled | undefined, called: string): number {
    if (!answer) return raise(state, calls.isFull() ? NO_MEMORY : STUCK);
    if (!answer.ok) return raiseCall(state, JSON.parse(answer.text), called);
    pushJson(state, answer.text);
    return 1;
  }

  /** Runs what may fail because of a value, and raises that as an error of the script. */
  function guarded(state: number, what: string, work: () => number): number {
    try {
      return work();
    } catch (failure) {
      if (failure instanceof ValueError) return raise(state, `${what}: ${failure.message}`);
      throw failure;
    }
  }

  function ask(namespace: string, name: string): CallError | undefined {
    const answer = calls.take(calls.start(UNKNOWN_FUNCTION, JSON.stringify({ namespace, name })));
    return !answer || answer.ok ? undefined : JSON.parse(answer.text);
  }

  return {
    ask,
    begin: (given, bridge) => {
      functions = given;
      calls = openCalls(bridge);
      tasks.clear();
      yielded.clear();
      const byName = new Map<string, Namespace>();
      functions.forEach(({ namespace, snake }, index) => {
        const entry = byName.get(namespace) ?? { name: namespace, members: new Map<string, number>() };
        byName.set(namespace, entry);
        if (!entry.members.has(snake)) entry.members.set(snake, index);
      });
      namespaces = [...byName.values()];
    },
    known: () => functions,
    namespaces: () => namespaces.map(({ name }) => name),
    failedCall: (state, index) => {
      const at = api.lua_absindex(state, index);
      if (api.lua_type(state, at) !== TYPE.table) return undefined;
      api.lua_rawgeti(state, REGISTRY, BigInt(references.errors));
      api.lua_pushvalue(state, at);
      const found = api.lua_rawget(state, -2) === TYPE.string ? texts.read(state, -1).split(' ') : undefined;
      api.lua_settop(state, -3);
      return found && { code: found[0]!, called: found[1]! };
    },

    functions: {
      // (arguments): the call's value. Upvalues: index of the function, its namespace's table.
      call: (state) => {
        const index = api.lua_tonumberx(state, UPVALUE, 0);
        // Written with a colon, the namespace itself comes first.
        const argument = api.lua_rawequal(state, 1, UPVALUE - 1) ? 2 : 1;
        return guarded(state, nameOf(index), () => {
          const given = (at: number) => (api.lua_type(state, at) > TYPE.nil ? toJson(state, at) : undefined);
          const first = given(argument) ?? '{}';
          // Several arguments go as a list: our own functions take them, tools say that they do not.
          const count = Math.max(0, api.lua_gettop(state) - argument);
          const more = Array.from({ length: count }, (_, at) => given(argument + 1 + at) ?? 'null');
          const id = calls.start(index, more.length > 0 ? `[${[first, ...more].join(',')}]` : first);
          if (!tasks.has(state) || !api.lua_isyieldable(state)) return deliver(state, calls.take(id), nameOf(index));
          yielded.set(id, index);
          api.lua_pushlightuserdata(state, CALL_MARK);
          api.lua_pushinteger(state, BigInt(id));
          return api.lua_yieldk(state, 2, id, table.resumed);
        });
      },

      // A yielded call goes on.
      resumed: (state, _status, id) => {
        const called = nameOf(yielded.get(id) ?? -1);
        yielded.delete(id);
        return guarded(state, called, () => deliver(state, calls.take(id), called));
      },

      // (place of a namespace, name, its table): the function, or the host's answer as an error.
      member: (state) => {
        const namespace = namespaces[api.lua_tonumberx(state, 1, 0)]!;
        const name = texts.read(state, 2, MAX_NAME_BYTES);
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

      // (place of a namespace): the list of its names.
      members: (state) => {
        const namespace = namespaces[api.lua_tonumberx(state, 1, 0)]!;
        pushJson(state, JSON.stringify([...namespace.members.keys()]));
        return 1;
      },

      // (): the id of a call that has an answer now.
      wait: (state) => {
        const id = calls.next();
        if (id === undefined) return raise(state, STUCK);
        api.lua_pushinteger(state, BigInt(id));
        return 1;
      },

      // (thread, boolean): whether `parallel` runs it.
      task: (state) => {
        const thread = api.lua_tothread(state, 1);
        if (api.lua_toboolean(state, 2)) tasks.add(thread);
        else tasks.delete(thread);
        return 0;
      },
    },
  };
}
