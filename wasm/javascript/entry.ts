import type { Program } from '../../lib/sandbox/contract.ts';
import type { Value } from './engine.ts';
import type { Machine } from './machine.ts';
import { definedFunctions, readSource, type Source } from './source.ts';
import { Failed, type Steps } from './steps.ts';

/** Name of the function that is called where a program names none. */
export const DEFAULT_ENTRY = 'Run';
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** Names every script finds in place: only a script's own function of such a name is an entry. */
const BUILT_IN = new Set([globalThis, Object.prototype].flatMap((owner) => Object.getOwnPropertyNames(owner)));

/** A script that has been evaluated. */
export interface Evaluated {
  program: Program;
  /** As it was before anything was put around it. */
  code: string;
  source: Source;
  /** Its completion, or what a `return` at its top level gave. */
  body: Value;
}

/** Calls the entry, or takes the body's own value where CONTRACT lets it count; a promise is not followed yet. */
export function chooseValue(machine: Machine, { step, settle }: Steps, script: Evaluated): Value {
  const { program, code, source, body } = script;
  const { engine } = machine;
  const entry = program.entry ?? DEFAULT_ENTRY;
  if (source.value === 'entry call' || (source.value === 'returned' && program.entry === undefined)) return body;
  const found = lookUp(entry);
  if (found) return enter(found);
  if (program.entry !== undefined) throw notFound();
  if (source.defaultExport) {
    const exported = lookUp(source.defaultExport);
    if (exported) return enter(exported);
    return settle(engine.evaluate(source.defaultExport, 'prelude', false));
  }
  if (lastStatement() === 'none') throw notFound();
  return body;

  function lookUp(name: string): Value | undefined {
    if (!NAME.test(name) || (BUILT_IN.has(name) && !definedFunctions(code).includes(name))) return undefined;
    if (!isLexical(code, name)) {
      const found = machine.raw('find', [engine.string(name)]);
      if (found !== 0 && engine.isException(found)) engine.exception(found);
      else if (found !== 0 && !engine.isUndefined(found)) return found;
    }
    const value = engine.evaluate(`typeof ${name} === 'function' ? ${name} : undefined`, 'prelude', false);
    return value === 0 || engine.isException(value) || engine.isUndefined(value) ? undefined : value;
  }

  function enter(fn: Value): Value {
    return program.params === undefined ? step('enter', fn) : step('enter', fn, engine.string(program.params));
  }

  /** A source that went to the engine unread says nothing yet of its last statement. */
  function lastStatement(): Source['value'] {
    if (source.value !== 'completion') return source.value;
    const read = readSource(code, entry);
    return 'message' in read ? source.value : read.value;
  }

  function notFound(): Failed {
    const defined = definedFunctions(code);
    const there = defined.length > 0 ? `the script defines ${defined.join(', ')}` : 'the script defines no functions';
    return new Failed({
      ok: false,
      code: 'entry_not_found',
      message: `there is no function ${entry}: ${there}; define function ${entry}(params) { … }, or name one of them as entry`,
    });
  }
}

const LEXICAL = /\b(?:let|const|class)\s/;

/** Whether a script may declare the name in a way that hides the global object's property of that name. */
function isLexical(code: string, name: string): boolean {
  // By statements: one expression for all of them takes a time that grows with the square of the code's length.
  return code.split(';').some((text) => {
    const at = text.search(LEXICAL);
    return at >= 0 && text.includes(name, at);
  });
}
