import type { HostFunction, OutcomeCode } from '../../lib/sandbox/contract.ts';
import type { GuestResult } from '../guest.ts';
import { excerpt } from '../repair/excerpt.ts';
import { meantByHyphens } from '../repair/hyphens.ts';
import { callUnderReturn } from './call-under-return.ts';
import type { Source, SyntaxFault } from './source.ts';

/** A failed run. */
export type Failure = Extract<GuestResult, { ok: false }>;

/** What the prelude's `explain` tells of a thrown value. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
  code?: OutcomeCode;
}

/** The user's own text and how the engine's lines map to it. */
export interface Place {
  /** As the user wrote it, fence included. */
  written: string;
  /** Lines of `written` above the code. */
  lineOffset: number;
  source: Source;
}

const RECURSION =
  'the script recurses too deeply (a function calls itself without end, or code or data is nested too deep); use a loop or an own stack';
const MEMORY = 'the script ran out of memory; keep less at once: read in pages, or keep only the fields you need';

/** What the engine says of `JSON.parse(object)`: it met the second word of `[object Object]`. */
const OBJECT_PARSED = "unexpected token: 'object'";
const PARSED_ALREADY =
  'JSON.parse takes text and was given an object: results of functions are parsed already, use them as they are';

/** What the engine says of `undefined[0]`. */
const UNDEFINED_READ = 'cannot read property of undefined';
const UNWRAPPED =
  'there is no content; results of functions are unwrapped already, so that what stands before ".content" is the text or data itself';

/** A missing function's own name, in the host's words for it. */
const MISSING = /^there is no function \w+\.([\w$]+):/;

/** Advice for globals that other hosts have and this sandbox does not. */
const ABSENT: Record<string, string> = {
  fetch: 'the sandbox has no network',
  XMLHttpRequest: 'the sandbox has no network',
  WebSocket: 'the sandbox has no network',
  require: 'the sandbox has no modules',
  module: 'the sandbox has no modules; define a function Run, or end with the value',
  exports: 'the sandbox has no modules; define a function Run, or end with the value',
  process: 'the sandbox has no process, environment or arguments; the entry gets its parameters as an argument',
  Buffer: 'the sandbox has no Buffer; use strings, or Uint8Array',
  setTimeout: 'the sandbox has no timers; calls take the time they take, just await them',
  setInterval: 'the sandbox has no timers; use a loop',
  setImmediate: 'the sandbox has no timers',
  window: 'the sandbox has no browser objects',
  document: 'the sandbox has no browser objects',
  localStorage: 'the sandbox has no storage',
  Deno: 'the sandbox has no Deno objects',
  Bun: 'the sandbox has no Bun objects',
};

/** Where a failure's advice on unknown names comes from. */
export interface Advice {
  namespaces: readonly string[];
  functions: readonly HostFunction[];
  /** Whether a server has a function of this name. */
  isFunction(name: string): boolean;
  /** Asks the host what to say of `namespace.name`. */
  unknown(namespace: string, name: string): { code: OutcomeCode; message: string } | undefined;
}

/** Turns a thrown value into the run's failure, positions in the user's source. */
export function failureOf(thrown: Thrown, place: Place, advice: Advice): Failure {
  if (
    thrown.name === 'InternalError' &&
    /^(out of memory|string too long|invalid (array )?length)$/.test(thrown.message)
  ) {
    return { ok: false, code: 'memory', message: MEMORY };
  }
  const at = positionOf(thrown.stack, place);
  if (/^(InternalError|SyntaxError)$/.test(thrown.name) && thrown.message === 'stack overflow') {
    return withPlace('runtime', RECURSION, place, at);
  }
  const unknown =
    thrown.name === 'ReferenceError' ? /^'?([\w$]+)'? is not defined$/.exec(thrown.message)?.[1] : undefined;
  const missing = unknown ?? (thrown.code === 'function_not_found' ? MISSING.exec(thrown.message)?.[1] : undefined);
  const hyphens = missing && at && meantByHyphens(lineAt(place, at.line), missing, advice.functions, 'snake');
  if (hyphens) {
    return withPlace('function_not_found', hyphens.message, place, { line: at.line, column: hyphens.column });
  }
  if (thrown.code) return withPlace(thrown.code, thrown.message, place, at);
  if (unknown) {
    const known = Object.hasOwn(ABSENT, unknown) ? ABSENT[unknown] : undefined;
    if (known) {
      return withPlace(
        'runtime',
        `${unknown} does not exist here: ${known}. ${whatThereIs(advice.namespaces)}`,
        place,
        at,
      );
    }
    const called =
      at && new RegExp(`\\b${unknown.replace(/\$/g, '\\$')}\\s*\\.\\s*([\\w$]+)`).exec(lineAt(place, at.line));
    const member = called ? called[1]! : isToolName(unknown, advice) ? '' : undefined;
    const answer = member === undefined ? undefined : advice.unknown(unknown, member);
    if (answer) return withPlace(answer.code, answer.message, place, at);
  }
  if (thrown.name === 'SyntaxError' && thrown.message === OBJECT_PARSED) {
    return withPlace('runtime', `SyntaxError: ${PARSED_ALREADY}`, place, at);
  }
  if (thrown.name === 'TypeError' && thrown.message === 'not a function') {
    return withPlace('runtime', `TypeError: ${notCallable(place, at)}`, place, at);
  }
  if (thrown.name === 'TypeError' && thrown.message === UNDEFINED_READ && readsContent(place, at)) {
    return withPlace('runtime', `TypeError: ${thrown.message}: ${UNWRAPPED}`, place, at);
  }
  const text = thrown.name === '' ? `uncaught ${thrown.message}` : `${thrown.name}: ${thrown.message}`;
  if (/could not load module/.test(thrown.message)) {
    return withPlace(
      'runtime',
      `import(…) does not work: the sandbox has no modules. ${whatThereIs(advice.namespaces)}`,
      place,
      at,
    );
  }
  return withPlace('runtime', text, place, at);
}

/** Whether an unknown global is a direct tool's name (`os__read_file`), or a function without its namespace. */
function isToolName(name: string, { namespaces, isFunction }: Advice): boolean {
  const [namespace = '', ...rest] = name.split('__');
  return (rest.length > 0 && namespaces.includes(namespace)) || isFunction(name);
}

/** Methods of texts and lists that scripts try on results which are neither. */
const OF_TEXTS_AND_LISTS = new Set([
  ...Object.getOwnPropertyNames(String.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
]);

/** Methods of promises, which a call made by code that is not async does not give. */
const OF_PROMISES = new Set(['then', 'catch', 'finally']);
const ANSWERED = 'calls answer at once here: use the value, or make Run async and await it';

/** How much of a line before a call is looked at for the name of what is called, characters. */
const CALLED_CHARS = 200;

/** The engine does not name what was called: the source before the call's place does. */
function notCallable(place: Place, at: At | undefined): string {
  const end = (at?.column ?? 1) - 1;
  const before = at ? lineAt(place, at.line).slice(Math.max(0, end - CALLED_CHARS), end) : '';
  const [, dot, name] = /(\.\s*)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*$/u.exec(before) ?? [];
  if (name === undefined) return 'not a function';
  if (dot && OF_PROMISES.has(name)) return `${name} is not a function: ${ANSWERED}`;
  if (!dot || !OF_TEXTS_AND_LISTS.has(name)) return `${name} is not a function`;
  return `${name} is not a function: the value before it is no text or list; console.log it to see its fields`;
}

/** Whether a place is the bracket of `….content[…`, as MCP's own answers are read. */
function readsContent(place: Place, at: At | undefined): boolean {
  if (at?.column === undefined) return false;
  const line = lineAt(place, at.line);
  return (
    line[at.column - 1] === '[' &&
    /\.\s*content\s*$/.test(line.slice(Math.max(0, at.column - CALLED_CHARS), at.column - 1))
  );
}

function whatThereIs(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return 'There are no host functions in this run.';
  return `There are the host functions of ${namespaces.join(', ')} (get_functions_description lists them).`;
}

/** A syntax error, placed in the user's source. */
export function syntaxFailure({ message, line, column }: SyntaxFault, place: Place): Failure {
  return withPlace('syntax', `SyntaxError: ${message}`, place, { line: line + place.lineOffset, column });
}

interface At {
  line: number;
  column?: number;
}

/** First frame of a stack that lies in the user's code. */
export function positionOf(stack: string, place: Place): At | undefined {
  for (const [, lineText, columnText] of stack.matchAll(/\bscript:(\d+)(?::(\d+))?/g)) {
    let at = { line: Number(lineText), column: Number(columnText ?? 0) };
    if (columnText !== undefined) at = callUnderReturn(place.source.code, at) ?? at;
    const line = at.line - place.source.extraLines;
    let column = at.column || undefined;
    const { inserted } = place.source;
    if (inserted && column && inserted.line === line && column > inserted.column) column -= inserted.length;
    const count = place.written.split('\n').length;
    if (line >= 1 && line + place.lineOffset <= count) {
      return { line: line + place.lineOffset, ...(column ? { column } : {}) };
    }
  }
  return undefined;
}

function lineAt({ written }: Place, line: number): string {
  return written.split('\n')[line - 1] ?? '';
}

function withPlace(code: OutcomeCode, message: string, place: Place, at: At | undefined): Failure {
  if (!at) return { ok: false, code, message };
  const shown = excerpt(place.written, at.line, at.column);
  return { ok: false, code, message: shown ? `${message}\n${shown}` : message, ...at };
}
