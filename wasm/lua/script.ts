import type { Program } from '../../lib/sandbox/contract.ts';
import type { GuestResult } from '../guest.ts';
import { CHUNK } from './callables.ts';
import { type Chunk, planChunks } from './chunk.ts';
import { locate } from './failure.ts';
import type { Interpreter } from './interpreter.ts';
import { GLOBALS, OK, REGISTRY, TYPE } from './lua-api.ts';
import type { Outline } from './source.ts';
import { ValueError } from './values.ts';
import { createVerdict, OUT_OF_MEMORY, type Run } from './verdict.ts';

/** What the entry gets where the run has no params: `params.x` is then nil instead of an error. */
const NO_PARAMS = '{}';
const DEFAULT_ENTRY = 'Run';
const TOO_NESTED = 'the code is nested too deeply: Lua reads about 200 levels';
/** Results taken of a chunk or an entry: its value, and the message of `return nil, message`. */
const RESULTS = 2;
/** 32-bit words of the two 64-bit numbers that seed `math.random`. */
const SEED_WORDS = 4;
/** Stack slots that running a script takes at most. */
const SLOTS = 40;

/** Runs a script from its compilation to its value; called inside a protected C function. */
export function runScript(
  interpreter: Interpreter,
  program: Program,
  run: Run,
  random: (count: number) => Uint32Array<ArrayBuffer>,
): GuestResult {
  const { api, codec, calls, machine, load, references } = interpreter;
  const { texts, pushJson, toJson } = codec;
  const { outline, code } = run.source;
  const state = interpreter.state();
  const verdict = createVerdict(interpreter, run);
  const name = program.entry ?? DEFAULT_ENTRY;
  api.lua_checkstack(state, SLOTS);

  try {
    prepare();
  } catch (failure) {
    if (!(failure instanceof ValueError)) throw failure;
    return verdict.fail('invalid_arguments', { text: `params: ${failure.message}` });
  }
  api.lua_pushcclosure(state, machine.table.handler, 0);
  const handler = api.lua_gettop(state);
  const chunk = compile();
  if ('ok' in chunk) return chunk;
  const failed = call(0);
  if (failed) return failed;

  // The chunk's two results lie above the handler.
  const first = handler + 1;
  if (pushEntry(chunk)) {
    pushParams();
    return call(1) ?? answer(api.lua_gettop(state) - 1);
  }
  if (program.entry !== undefined || (isNil(first) && isNil(first + 1) && !givesValue(chunk, outline))) {
    return missingEntry(name, outline, program.entry !== undefined);
  }
  return answer(first);

  function prepare(): void {
    api.lua_rawgeti(state, REGISTRY, BigInt(references.seed));
    for (const part of new BigInt64Array(random(SEED_WORDS).buffer)) api.lua_pushinteger(state, part);
    api.lua_pcallk(state, 2, 0, 0, 0, 0);
    calls.namespaces().forEach((namespace, id) => {
      api.lua_rawgeti(state, REGISTRY, BigInt(references.install));
      texts.push(state, namespace);
      api.lua_pushinteger(state, BigInt(id));
      if (api.lua_pcallk(state, 2, 0, 0, 0, 0) !== OK) throw new Error(`namespace: ${texts.read(state, -1)}`);
    });
    api.lua_rawgeti(state, REGISTRY, GLOBALS);
    texts.push(state, 'params');
    pushParams();
    api.lua_rawset(state, -3);
    api.lua_settop(state, -2);
  }

  function pushParams(): void {
    pushJson(state, program.params ?? NO_PARAMS);
  }

  /** Pushes the chunk's function, in the first form that compiles; the message is that of the code as it stands. */
  function compile(): Chunk | GuestResult {
    let message = '';
    for (const chunk of planChunks(code, outline, program.entry)) {
      const status = load(chunk.text, CHUNK);
      if (status === OK) return chunk;
      if (status === OUT_OF_MEMORY) return verdict.outOfMemory();
      message = texts.read(state, -1);
      api.lua_settop(state, -2);
    }
    return verdict.fail('syntax', locate(message.replace(/C stack overflow|chunk has too many .*/, TOO_NESTED)));
  }

  /** Calls what lies below `args` arguments; undefined where it ended well, its results on the stack. */
  function call(args: number): GuestResult | undefined {
    run.errorLine = 0;
    const status = api.lua_pcallk(state, args, RESULTS, handler, 0, 0);
    if (status === OK) return undefined;
    return status === OUT_OF_MEMORY ? verdict.outOfMemory() : verdict.failWith(state, -1);
  }

  /** Pushes the entry: a global, or what the chunk returned in place of one. */
  function pushEntry(chunk: Chunk): boolean {
    api.lua_rawgeti(state, REGISTRY, GLOBALS);
    texts.push(state, name);
    if (api.lua_rawget(state, -2) === TYPE.function) return true;
    if (chunk.returns === 'expression') return false;
    const returned = api.lua_type(state, first);
    if (returned === TYPE.function && (chunk.returns === 'entry' || program.entry === undefined)) {
      api.lua_pushvalue(state, first);
      return true;
    }
    if (returned !== TYPE.table) return false;
    texts.push(state, name);
    return api.lua_rawget(state, first) === TYPE.function;
  }

  function isNil(index: number): boolean {
    return api.lua_type(state, index) === TYPE.nil;
  }

  /** The value of a script is its first result; `nil, message` is a failure, as everywhere in Lua. */
  function answer(at: number): GuestResult {
    if (isNil(at)) return isNil(at + 1) ? { ok: true } : verdict.failWith(state, at + 1);
    try {
      return { ok: true, value: toJson(state, at) };
    } catch (failure) {
      if (!(failure instanceof ValueError)) throw failure;
      const text = `The returned value: ${failure.message}`;
      return verdict.fail(failure.tooLarge ? 'output_too_large' : 'runtime', { text });
    }
  }
}

/** Whether a script without an entry says by its form that it ends with a value, be it nil. */
function givesValue({ returns }: Chunk, { tokens, last }: Outline): boolean {
  return returns === 'expression' || tokens[last]?.text === 'return';
}

function missingEntry(wanted: string, { functions }: Outline, named: boolean): GuestResult {
  const defined = functions.length > 0 ? `defined here: ${functions.join(', ')}` : 'the script defines no function';
  const example = `function ${/^[A-Za-z_]\w*$/.test(wanted) ? wanted : DEFAULT_ENTRY}(params) … end`;
  const otherwise = named ? '' : ', or end the script with return and a value';
  return {
    ok: false,
    code: 'entry_not_found',
    message: `There is no function "${wanted}" (${defined}). Define ${example}, or name another function as entry${otherwise}.`,
  };
}
