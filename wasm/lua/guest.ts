import type { HostFunction, OutcomeCode, Program } from '../../lib/sandbox/contract.ts';
import type { Bridge, CreateGuest, GuestResult } from '../guest.ts';
import { stripFences } from '../repair/fences.ts';
import { isKnownMistake, memberAfter } from './advice.ts';
import { CHUNK } from './callables.ts';
import { planChunks } from './chunk.ts';
import { explain, type Located, locate, type UserSource } from './failure.ts';
import { createInterpreter } from './interpreter.ts';
import { MULTIPLE, OK, REGISTRY, TYPE } from './machine.ts';
import type { LuaKit } from './module.ts';
import { readSource } from './source.ts';
import { MAX_MESSAGE_BYTES, ValueError } from './values.ts';

/** What the entry gets where the run has no params: `params.x` is then nil instead of an error. */
const NO_PARAMS = '{}';
/** `LUA_ERRMEM`. */
const OUT_OF_MEMORY = 4;
/** Messages of Lua that mean the same, in its own words. */
const MEMORY_MESSAGES =
  /^(not enough memory|resulting string too large|string length overflow|table overflow|string too large)$/;

/** One run as the C functions see it. */
interface Run {
  program: Program;
  source: UserSource;
  result: GuestResult;
  /** Line at which the error now under way was raised, 0 where unknown. */
  errorLine: number;
  /** Whether memory was refused last deep in a recursion. */
  tooDeep: boolean;
}

/** Lua 5.4 as a guest: no JavaScript object is in it, only C functions that take and give texts and numbers. */
export const createLuaGuest: CreateGuest<LuaKit> = async (kit) => {
  const random = crypto.getRandomValues.bind(crypto);
  const start = () => {
    const started = createInterpreter(kit, { main, handler, text: shownText }, random);
    started.machine.onRefusal(() => {
      run.tooDeep = started.stack.isDeep(started.state());
    });
    return started;
  };
  let broken = false;
  let run: Run;
  let interpreter = start();

  function handler(state: number): number {
    run.errorLine = interpreter.stack.line(state);
    return 1;
  }

  function shownText(state: number): number {
    interpreter.api.luaL_tolstring(state, 1, 0);
    return 1;
  }

  /** All of a run happens inside this C function, so that running out of memory anywhere unwinds to its caller. */
  function main(): number {
    const { api, codec, calls, machine, load, references } = interpreter;
    const { texts, pushJson, toJson } = codec;
    const state = interpreter.state();
    const { program, source } = run;
    try {
      prepare();
    } catch (failure) {
      if (!(failure instanceof ValueError)) throw failure;
      return fail('invalid_arguments', { text: `params: ${failure.message}` });
    }
    const named = program.entry !== undefined;
    const name = program.entry ?? 'Run';

    let chunk = '';
    let failure = '';
    for (const { text, returns } of planChunks(source.code, source.outline, program.entry)) {
      const status = load(text, CHUNK);
      if (status === OK) {
        chunk = returns;
        break;
      }
      if (status === OUT_OF_MEMORY) return outOfMemory();
      failure = texts.read(state, -1);
      api.lua_settop(state, -2);
    }
    if (!chunk) return fail('syntax', locate(failure.replace(/C stack overflow|chunk has too many .*/, TOO_NESTED)));

    api.lua_pushcclosure(state, machine.table.handler, 0);
    api.lua_rotate(state, -2, 1);
    const base = api.lua_gettop(state) - 1;
    if (!protectedCall(base, 0)) return 0;

    // The chunk's results lie above the handler. Which of them, or which global, is the entry?
    const results = api.lua_gettop(state) - base;
    const first = base + 1;
    api.lua_rawgeti(state, REGISTRY, 2n);
    texts.push(state, name);
    api.lua_rawget(state, -2);
    let found = callable(-1);
    if (!found && results > 0 && chunk !== 'expression') {
      if (api.lua_type(state, first) === TYPE.function && (chunk === 'entry' || !named)) {
        api.lua_pushvalue(state, first);
        found = true;
      } else if (api.lua_type(state, first) === TYPE.table) {
        texts.push(state, name);
        api.lua_rawget(state, first);
        found = api.lua_type(state, -1) === TYPE.function;
      }
    }
    if (found) {
      const top = api.lua_gettop(state);
      pushParams();
      if (!protectedCall(base, 1)) return 0;
      return answer(top, api.lua_gettop(state) - top + 1);
    }
    if (named || (results === 0 && chunk === 'own' && !endsInReturn())) return missingEntry(name);
    api.lua_settop(state, base + results);
    return answer(first, results);

    function prepare(): void {
      api.lua_rawgeti(state, REGISTRY, BigInt(references.seed));
      for (const part of random(new BigInt64Array(2))) api.lua_pushinteger(state, part);
      api.lua_pcallk(state, 2, 0, 0, 0, 0);
      calls.namespaces().forEach((namespace, id) => {
        api.lua_rawgeti(state, REGISTRY, BigInt(references.install));
        texts.push(state, namespace);
        api.lua_pushinteger(state, BigInt(id));
        if (api.lua_pcallk(state, 2, 0, 0, 0, 0) !== OK) throw new Error(`namespace: ${texts.read(state, -1)}`);
      });
      api.lua_rawgeti(state, REGISTRY, 2n);
      texts.push(state, 'params');
      pushParams();
      api.lua_rawset(state, -3);
      api.lua_settop(state, -2);
    }

    function pushParams(): void {
      pushJson(state, program.params ?? NO_PARAMS);
    }

    function callable(index: number): boolean {
      return api.lua_type(state, index) === TYPE.function;
    }

    /** Calls what lies below `args` arguments; on failure notes why and says false. */
    function protectedCall(handlerAt: number, args: number): boolean {
      run.errorLine = 0;
      const status = api.lua_pcallk(state, args, MULTIPLE, handlerAt, 0, 0);
      if (status === OK) return true;
      if (status === OUT_OF_MEMORY) outOfMemory();
      else failWith(-1);
      return false;
    }

    /** Without an end to a recursion the memory ends just before Lua's own bound on calls: that is what to say. */
    function outOfMemory(line = 0): number {
      if (run.tooDeep) return fail('runtime', withLine('stack overflow', line));
      return fail('memory', withLine(OUT_OF_MEMORY_TEXT, line));
    }

    function withLine(text: string, line = run.errorLine): Located {
      return line > 0 ? { text, line } : { text };
    }

    function endsInReturn(): boolean {
      const { tokens, last } = source.outline;
      return tokens[last]?.text === 'return';
    }

    function fail(code: OutcomeCode, located: Located, called?: string): number {
      run.result = { ok: false, code, ...explain(located, source, called) };
      return 0;
    }

    /** Turns the error value at an index into the run's result. */
    function failWith(index: number): number {
      const failed = calls.failedCall(state, index);
      if (failed) {
        const at = api.lua_absindex(state, index);
        const line = api.lua_tonumberx(state, rawField(at, 'line'), 0);
        const message = withLine(texts.read(state, rawField(at, 'message')), line);
        return fail(failed.code as OutcomeCode, message, failed.called);
      }
      const text = errorText(index);
      const located = locate(text);
      if (located.line === undefined && run.errorLine > 0) located.line = run.errorLine;
      if (MEMORY_MESSAGES.test(located.text)) return outOfMemory(located.line);
      // A namespace may exist and be closed to this user: the host knows.
      const [, how, unknown] = /^attempt to (call|index) a nil value \(global '([^']+)'\)/.exec(located.text) ?? [];
      if (unknown && !source.outline.assigned.has(unknown)) {
        const ours = isKnownMistake(unknown, how === 'call', source.outline);
        const member = memberAfter(source.outline.tokens, unknown, located.line);
        const said = ours && how === 'call' ? undefined : calls.ask(unknown, member);
        if (said && !(ours && said.code === 'function_not_found')) {
          return fail(said.code as OutcomeCode, { ...located, text: said.message }, `${unknown}.${member}`);
        }
      }
      return fail('runtime', located);
    }

    function rawField(table: number, field: string): number {
      texts.push(state, field);
      api.lua_rawget(state, table);
      return -1;
    }

    function errorText(index: number): string {
      const at = api.lua_absindex(state, index);
      const type = api.lua_type(state, at);
      if (type === TYPE.string || type === TYPE.number) {
        api.lua_pushvalue(state, at);
        return texts.read(state, -1, MAX_MESSAGE_BYTES);
      }
      if (type !== TYPE.table)
        return `error without a message (a ${type === TYPE.nil ? 'nil' : 'value that is no text'})`;
      if (api.luaL_getmetafield(state, at, machine.constants.tostring)) {
        api.lua_pushcclosure(state, machine.table.text, 0);
        api.lua_pushvalue(state, at);
        if (api.lua_pcallk(state, 1, 1, 0, 0, 0) === OK) return texts.read(state, -1, MAX_MESSAGE_BYTES);
      }
      if (api.lua_type(state, rawField(at, 'message')) === TYPE.string) return texts.read(state, -1, MAX_MESSAGE_BYTES);
      return toJson(state, at, true).slice(0, MAX_MESSAGE_BYTES);
    }

    function missingEntry(wanted: string): number {
      const { functions } = source.outline;
      const defined = functions.length > 0 ? `defined here: ${functions.join(', ')}` : 'the script defines no function';
      const example = `function ${/^[A-Za-z_]\w*$/.test(wanted) ? wanted : 'Run'}(params) … end`;
      run.result = {
        ok: false,
        code: 'entry_not_found',
        message: `There is no function "${wanted}" (${defined}). Define ${example}, or name another function as entry${
          named ? '' : ', or end the script with return and a value'
        }.`,
      };
      return 0;
    }

    /** The value of a script: its first result; `nil, message` is a failure, as everywhere in Lua. */
    function answer(at: number, count: number): number {
      if (count <= 0 || api.lua_type(state, at) === TYPE.nil) {
        if (count > 1 && api.lua_type(state, at + 1) !== TYPE.nil) return failWith(at + 1);
        run.result = { ok: true };
        return 0;
      }
      try {
        run.result = { ok: true, value: toJson(state, at) };
      } catch (failure) {
        if (!(failure instanceof ValueError)) throw failure;
        fail(failure.tooLarge ? 'output_too_large' : 'runtime', { text: `The returned value: ${failure.message}` });
      }
      return 0;
    }
  }

  return {
    run(program, functions: readonly HostFunction[], _limits, bridge: Bridge): GuestResult {
      const { code, lineOffset } = stripFences(program.code);
      const source = { whole: program.code, ...readSource(code), lineOffset };
      run = { program, source, result: { ok: true }, errorLine: 0, tooDeep: false };
      const { api, calls, machine, output } = interpreter;
      const state = interpreter.state();
      calls.begin(functions, bridge);
      output.begin(bridge);
      try {
        api.lua_pushcclosure(state, machine.table.main, 0);
        const status = api.lua_pcallk(state, 0, 0, 0, 0, 0);
        if (status !== OK) {
          run.result =
            status === OUT_OF_MEMORY
              ? { ok: false, code: 'memory', message: OUT_OF_MEMORY_TEXT }
              : {
                  ok: false,
                  code: 'runtime',
                  message: locate(interpreter.codec.texts.read(state, -1, MAX_MESSAGE_BYTES)).text,
                };
        }
      } catch (thrown) {
        if (!(thrown instanceof RangeError)) throw thrown;
        // The thread's own stack ended before Lua's limits did.
        broken = true;
        run.result = { ok: false, code: 'runtime', ...explain({ text: 'stack overflow' }, source) };
      }
      output.flush();
      return run.result;
    },
    reset() {
      if (broken || !interpreter.renew()) interpreter = start();
      broken = false;
      return true;
    },
  };
};

const TOO_NESTED = 'the code is nested too deeply: Lua reads about 200 levels';
const OUT_OF_MEMORY_TEXT =
  'The script needs more memory than limits.max_memory_bytes allows: keep less at once, or work in smaller pieces';
