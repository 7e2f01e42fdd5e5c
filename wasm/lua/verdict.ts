import type { OutcomeCode } from '../../lib/sandbox/contract.ts';
import type { GuestResult } from '../guest.ts';
import { meantByHyphens } from '../repair/hyphens.ts';
import { isKnownMistake, memberAfter } from './advice.ts';
import { explain, type Located, locate, type UserSource } from './failure.ts';
import type { Interpreter } from './interpreter.ts';
import { OK, TYPE } from './lua-api.ts';
import { MAX_MESSAGE_BYTES } from './values.ts';

/** `LUA_ERRMEM`. */
export const OUT_OF_MEMORY = 4;
/** Messages of Lua that mean the same, in its own words. */
const MEMORY_MESSAGES =
  /^(not enough memory|resulting string too large|string length overflow|table overflow|string too large)$/;
const OUT_OF_MEMORY_TEXT =
  'The script needs more memory than limits.max_memory_bytes allows: keep less at once, or work in smaller pieces';
const NIL_CALLED = /^attempt to (call|index) a nil value \(global '([^']+)'\)/;

/** Part of a subtraction that is none: a tool's own name may be meant. */
const UNKNOWN_PART =
  /^attempt to (?:call|perform arithmetic on) a (?:nil|function) value \((?:global|field) '([^']+)'\)/;

/** One run as the C functions see it. */
export interface Run {
  source: UserSource;
  /** Line at which the error now under way was raised, 0 where unknown. */
  errorLine: number;
  /** Whether memory was refused last deep in a recursion. */
  tooDeep: boolean;
}

/** Says how a run failed. */
export interface Verdict {
  fail(code: OutcomeCode, located: Located, called?: string): GuestResult;
  /** By the error value at an index of the stack. */
  failWith(state: number, index: number): GuestResult;
  /** Without an end to a recursion the memory ends just before Lua's own bound on calls: then that is what is said. */
  outOfMemory(line?: number): GuestResult;
}

/** The verdict on one run. */
export function createVerdict({ api, codec, calls, machine }: Interpreter, run: Run): Verdict {
  const { texts, toJson } = codec;
  const { source } = run;

  function fail(code: OutcomeCode, located: Located, called?: string, column?: number): GuestResult {
    return { ok: false, code, ...explain(located, source, called, column) };
  }

  function outOfMemory(line = 0): GuestResult {
    if (run.tooDeep) return fail('runtime', withLine('stack overflow', line));
    return fail('memory', withLine(OUT_OF_MEMORY_TEXT, line));
  }

  function failWith(state: number, index: number): GuestResult {
    const at = api.lua_absindex(state, index);
    const failed = calls.failedCall(state, at);
    if (failed) {
      const line = pushField(state, at, 'line') === TYPE.number ? api.lua_tonumberx(state, -1, 0) : 0;
      const missing = failed.code === 'function_not_found' ? failed.called.split('.')[1] : undefined;
      const meant = missing && byHyphens(missing, line);
      if (meant) return meant;
      return fail(failed.code as OutcomeCode, withLine(errorText(state, at), line), failed.called);
    }
    const located = locate(errorText(state, at));
    if (located.line === undefined && run.errorLine > 0) located.line = run.errorLine;
    if (MEMORY_MESSAGES.test(located.text)) return outOfMemory(located.line);
    const named = UNKNOWN_PART.exec(located.text)?.[1];
    const meant = named && byHyphens(named, located.line ?? 0);
    return meant || (askHost(located) ?? fail('runtime', located));
  }

  /** An unknown name that is part of a tool's own, written with its hyphens. */
  function byHyphens(unknown: string, line: number): GuestResult | undefined {
    const text = source.code.split('\n')[line - 1] ?? '';
    const meant = meantByHyphens(text, unknown, calls.known(), 'snake');
    return meant && fail('function_not_found', { text: meant.message, line }, undefined, meant.column);
  }

  /** A global that is nil may be a namespace that is closed to this user, or misspelt: the host knows. */
  function askHost(located: Located): GuestResult | undefined {
    const [, how, unknown] = NIL_CALLED.exec(located.text) ?? [];
    if (!unknown || source.outline.assigned.has(unknown)) return undefined;
    const called = how === 'call';
    const ours = isKnownMistake(unknown, called, source.outline);
    if (ours && called) return undefined;
    const member = memberAfter(source.outline.tokens, unknown, located.line);
    const said = calls.ask(unknown, member);
    if (!said || (ours && said.code === 'function_not_found')) return undefined;
    return fail(said.code as OutcomeCode, { ...located, text: said.message }, `${unknown}.${member}`);
  }

  function errorText(state: number, at: number): string {
    const type = api.lua_type(state, at);
    if (type === TYPE.string || type === TYPE.number) {
      // Of a copy: reading a number makes a text of it.
      api.lua_pushvalue(state, at);
      return texts.read(state, -1, MAX_MESSAGE_BYTES);
    }
    if (type !== TYPE.table) {
      return `error without a message (a ${type === TYPE.nil ? 'nil' : 'value that is no text'})`;
    }
    if (pushField(state, at, 'message') === TYPE.string) return texts.read(state, -1, MAX_MESSAGE_BYTES);
    if (api.luaL_getmetafield(state, at, machine.constants.tostring)) {
      api.lua_pushcclosure(state, machine.table.text, 0);
      api.lua_pushvalue(state, at);
      if (api.lua_pcallk(state, 1, 1, 0, 0, 0) === OK) return texts.read(state, -1, MAX_MESSAGE_BYTES);
    }
    return toJson(state, at, true).slice(0, MAX_MESSAGE_BYTES);
  }

  function pushField(state: number, table: number, field: string): number {
    texts.push(state, field);
    return api.lua_rawget(state, table);
  }

  return { fail, failWith, outOfMemory };
}

function withLine(text: string, line: number): Located {
  return line > 0 ? { text, line } : { text };
}
