import type { HostFunction, Program } from '../../lib/sandbox/contract.ts';
import type { Bridge, CreateGuest, Guest, GuestResult } from '../guest.ts';
import { createRandomness } from '../randomness.ts';
import { stripFences } from '../repair/fences.ts';
import { FULFILLED, PENDING, type Value } from './engine.ts';
import { type Failure, failureOf, type Place, syntaxFailure, type Thrown } from './faults.ts';
import { type Step, startMachine } from './machine.ts';
import type { JavascriptKit } from './prepare-javascript.ts';
import { definedFunctions, isPlain, readSource, type Source, type SyntaxFault } from './source.ts';

const DEFAULT_ENTRY = 'Run';
const LEXICAL_ENTRY = lexical(DEFAULT_ENTRY);
/** Words that seed a run's `Math.random`. */
const SEEDS = 3;
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const NEVER_SETTLES =
  'the script awaits a promise that nothing will ever settle: await calls of host functions, or promises you settle yourself';

/** A run that has failed for a reason already put into words. */
class Failed {
  readonly failure: Failure;
  readonly thrown: Thrown | undefined;
  constructor(failure: Failure, thrown?: Thrown) {
    this.failure = failure;
    this.thrown = thrown;
  }
}

/** The JavaScript guest: QuickJS from a snapshot, so that each run starts from the same untouched memory. */
export const createGuest: CreateGuest<JavascriptKit> = async (kit) => createJavascriptGuest(kit);

/** As `createGuest`, at once; `translate` makes JavaScript of another language, every position kept. */
export function createJavascriptGuest(kit: JavascriptKit, translate?: (code: string) => string | SyntaxFault): Guest {
  const random = createRandomness();
  let machine = startMachine(kit);
  let spoilt = false;

  function run(program: Program, functions: readonly HostFunction[], bridge: Bridge): GuestResult {
    const { code: unfenced, lineOffset } = stripFences(program.code);
    const translated = translate ? translate(unfenced) : unfenced;
    if (typeof translated !== 'string') {
      return syntaxFailure(translated, { written: program.code, lineOffset, source: plain(unfenced) });
    }
    const code = translated;
    const entry = program.entry ?? DEFAULT_ENTRY;
    const { engine, control } = machine;
    machine.attach(bridge, functions);

    const place: Place = { written: program.code, lineOffset, source: plain(code) };
    const explain = (exception: Value): Failed => {
      engine.releaseReserve();
      const text = control('explain', exception);
      const thrown: Thrown =
        text === undefined
          ? { name: 'InternalError', message: 'out of memory', stack: '' }
          : (JSON.parse(engine.text(text)) as Thrown);
      // With nothing left, the engine cannot even make its error: it throws null, or a value of no type.
      if (engine.exhausted() && thrown.name === '' && /^(null|\[unsupported type\])$/.test(thrown.message)) {
        Object.assign(thrown, { name: 'InternalError', message: 'out of memory' });
      }
      return new Failed(
        failureOf(thrown, place, {
          namespaces: machine.namespaces(),
          functions,
          isFunction: machine.hasFunction,
          unknown: (namespace, name) => machine.ask(namespace, name),
        }),
        thrown,
      );
    };
    /** The value, or the failure that the exception it stands for comes to. */
    const settle = (value: Value): Value => {
      if (value === 0) throw new Failed({ ok: false, code: 'memory', message: 'the script ran out of memory' });
      if (engine.isException(value)) throw explain(engine.exception(value));
      return value;
    };
    const step = (name: Step, ...args: Value[]) => settle(machine.raw(name, args));
    /** Runs jobs and delivers answers until the promise has settled. */
    const follow = (promise: Value): Value => {
      for (;;) {
        engine.runJobs();
        const state = engine.promiseState(promise);
        if (state === FULFILLED) return engine.promiseResult(promise);
        if (state !== PENDING) throw explain(engine.promiseResult(promise));
        const next = machine.next();
        if (!next) throw new Failed({ ok: false, code: 'runtime', message: NEVER_SETTLES });
        step('settle', engine.number(next.id), engine.string(next.answer));
      }
    };
    const settled = (value: Value): Value => {
      if (engine.promiseState(value) < 0) return value;
      return follow(value);
    };

    try {
      let source: Source = place.source;
      if (!isPlain(code, entry)) {
        const read = readSource(code, entry);
        if ('message' in read) return syntaxFailure(read, place);
        source = read;
      }
      place.source = source;
      const seeds = random(SEEDS);
      const names = JSON.stringify(machine.namespaces());
      const begin = (async: boolean) =>
        step(
          'begin',
          ...Array.from(seeds, engine.number),
          engine.string(names),
          engine.number(async ? 1 : 0),
          ...(program.params === undefined ? [] : [engine.string(program.params)]),
        );
      begin(source.async);

      const evaluate = () => engine.evaluate(source.code, 'script', source.async && source.value !== 'returned');
      let body = evaluate();
      if (body !== 0 && engine.isException(body)) {
        const failed = explain(engine.exception(body));
        // Only a text the engine refuses to parse may be tried again: nothing of it has run.
        if (failed.thrown?.name !== 'SyntaxError' || engine.compiles(source.code, source.async)) throw failed;
        const read = source === place.source && place.source.value === 'completion' ? readSource(code, entry) : source;
        if ('message' in read) return syntaxFailure(read, place);
        if (read.code === source.code && read.async === source.async) {
          return { ...failed.failure, code: 'syntax' };
        }
        source = read;
        place.source = source;
        if (source.async) begin(true);
        body = evaluate();
      }
      body = settle(body);
      if (source.async) {
        body = follow(body);
        if (source.value !== 'returned') body = step('unwrap', body);
      }

      const value = settled(chooseValue(source, body));
      if (machine.startedCalls()) awaitForgotten();
      const text = step('encode', value);
      return engine.isUndefined(text) ? { ok: true } : { ok: true, value: engine.text(text) };
    } catch (error) {
      if (error instanceof Failed) return error.failure;
      spoilt = true;
      if (error instanceof RangeError) {
        return failureOf({ name: 'InternalError', message: 'stack overflow', stack: '' }, place, noAdvice);
      }
      throw error;
    }

    /** Waits for calls nobody awaits, and says which of those nobody looked at have failed. */
    function awaitForgotten(): void {
      while (engine.toNumber(step('forgotten')) > 0) {
        const next = machine.next();
        if (!next) break;
        step('settle', engine.number(next.id), engine.string(next.answer));
        engine.runJobs();
      }
      step('report');
    }

    /** Calls the entry, or takes the body's own value where CONTRACT lets it count. */
    function chooseValue(source: Source, body: Value): Value {
      if (source.value === 'entry call' || (source.value === 'returned' && program.entry === undefined)) return body;
      const found = lookUp(entry);
      if (found) return enter(found);
      if (program.entry !== undefined) throw new Failed(notFound(entry, code));
      if (source.defaultExport) {
        const exported = lookUp(source.defaultExport);
        if (exported) return enter(exported);
        return settle(engine.evaluate(source.defaultExport, 'prelude', false));
      }
      const { value } = source === place.source && isUnread(source) ? readAgain(code, entry) : source;
      if (value === 'none') throw new Failed(notFound(entry, code));
      return body;
    }

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
  }

  return {
    run: (program, functions, _limits, bridge) => run(program, functions, bridge),
    reset() {
      if (spoilt || !machine.engine.restore()) machine = startMachine(kit);
      spoilt = false;
      machine.detach();
      return true;
    },
  };
}

/** Names every script finds in place: only a script's own function of such a name is an entry. */
const BUILT_IN = new Set([globalThis, Object.prototype].flatMap((owner) => Object.getOwnPropertyNames(owner)));

/** Whether a script may declare the name in a way that hides the global object's property of that name. */
function isLexical(code: string, name: string): boolean {
  return (name === DEFAULT_ENTRY ? LEXICAL_ENTRY : lexical(name)).test(code);
}

function lexical(name: string): RegExp {
  return new RegExp(`\\b(?:let|const|class)\\s[^;]*?${name.replace(/\$/g, '\\$')}`);
}

const noAdvice = { namespaces: [], functions: [], isFunction: () => false, unknown: () => undefined };

function plain(code: string): Source {
  return { code, extraLines: 0, async: false, value: 'completion' };
}

/** A source that went to the engine unread says nothing yet of its last statement. */
function isUnread(source: Source): boolean {
  return source.value === 'completion';
}

function readAgain(code: string, entry: string): Source {
  const read = readSource(code, entry);
  return 'message' in read ? plain(code) : read;
}

function notFound(entry: string, code: string): Failure {
  const defined = definedFunctions(code);
  const there = defined.length > 0 ? `the script defines ${defined.join(', ')}` : 'the script defines no functions';
  return {
    ok: false,
    code: 'entry_not_found',
    message: `there is no function ${entry}: ${there}; define function ${entry}(params) { … }, or name one of them as entry`,
  };
}
