import { type HostFunction, type Program, UNKNOWN_FUNCTION } from '../../lib/sandbox/contract.ts';
import type { Bridge, CreateGuest, Guest, GuestResult, Settled } from '../guest.ts';
import { createRandomness } from '../randomness.ts';
import { stripFences } from '../repair/fences.ts';
import { createEngine, type Engine, FULFILLED, PENDING, type Value } from './engine.ts';
import { type Failure, failureOf, type Place, syntaxFailure, type Thrown } from './faults.ts';
import type { JavascriptKit } from './prepare-javascript.ts';
import { definedFunctions, isPlain, readSource, type Source, type SyntaxFault } from './source.ts';

const DEFAULT_ENTRY = 'Run';
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
  let machine = start(kit);
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
    machine.attach(bridge, groupByNamespace(functions));

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
    const step = (name: string, ...args: Value[]) => settle(machine.raw(name, args));
    /** Runs jobs and delivers answers until the promise has settled. */
    const follow = (promise: Value): Value => {
      for (;;) {
        engine.runJobs();
        const state = engine.promiseState(promise);
        if (state === FULFILLED) return engine.promiseResult(promise);
        if (state !== PENDING) throw explain(engine.promiseResult(promise));
        const answer = machine.next();
        if (!answer) throw new Failed({ ok: false, code: 'runtime', message: NEVER_SETTLES });
        step('settle', engine.number(answer.id), engine.string(sealed(answer)));
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
      const seeds = JSON.stringify([...random(SEEDS)]);
      const names = JSON.stringify(machine.namespaces());
      const begin = (async: boolean) =>
        step(
          'begin',
          engine.string(seeds),
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
      const forgotten = () => engine.toNumber(step('forgotten'));
      while (forgotten() > 0) {
        const answer = machine.next();
        if (!answer) break;
        step('settle', engine.number(answer.id), engine.string(sealed(answer)));
        engine.runJobs();
      }
      step('report');
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
      if (spoilt || !machine.engine.restore()) machine = start(kit);
      spoilt = false;
      machine.detach();
      return true;
    },
  };
}

/** Names every script finds in place: only a script's own function of such a name is an entry. */
const BUILT_IN = new Set([globalThis, Object.prototype].flatMap((owner) => Object.getOwnPropertyNames(owner)));

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

/** An answer as the prelude opens it. */
function sealed({ ok, text }: Settled): string {
  return (ok ? '+' : '-') + text;
}

interface Group {
  name: string;
  /** JSON text of `[[snake name, index], …]`. */
  names: string;
}

let grouped: { functions: readonly HostFunction[]; groups: Group[] } | undefined;

function groupByNamespace(functions: readonly HostFunction[]): Group[] {
  if (grouped?.functions === functions) return grouped.groups;
  const lists = new Map<string, [string, number][]>();
  for (const [index, { namespace, snake }] of functions.entries()) {
    const list = lists.get(namespace);
    if (list) list.push([snake, index]);
    else lists.set(namespace, [[snake, index]]);
  }
  const groups = [...lists].map(([name, list]) => ({ name, names: JSON.stringify(list) }));
  grouped = { functions, groups };
  return groups;
}

/** An engine with the prelude in it, at its snapshot. */
function start(kit: JavascriptKit) {
  const engine: Engine = createEngine(kit.module, kit.memoryBytes);
  let bridge: Bridge | undefined;
  let groups: Group[] = [];
  let arrived: Settled[] = [];
  /** Calls started without waiting and not yet delivered. */
  let underWay = 0;

  const waitFor = (id: number): Settled => {
    for (;;) {
      const answer = bridge!.wait();
      if (answer.id === id) return answer;
      arrived.push(answer);
    }
  };
  const operations = [
    engine.function('hostCall', (_, arg) => {
      const id = bridge!.start(engine.toNumber(arg(0)), engine.text(arg(1)));
      return engine.string(sealed(waitFor(id)));
    }),
    engine.function('hostStart', (_, arg) => {
      underWay++;
      return engine.number(bridge!.start(engine.toNumber(arg(0)), engine.text(arg(1))));
    }),
    engine.function('hostLog', (_, arg) => {
      bridge!.log(engine.text(arg(0)));
      return 0;
    }),
    engine.function('hostNames', (_, arg) => engine.string(groups[engine.toNumber(arg(0))]?.names ?? '[]')),
  ];
  const install = engine.evaluate(kit.prelude, 'prelude', false);
  const controlValue = engine.call(install, operations);
  if (engine.isException(controlValue))
    throw new Error(`The prelude failed: ${engine.text(engine.exception(controlValue))}`);
  /** Calls a step of the prelude; its arguments are used up. */
  const raw = (name: string, args: readonly Value[]) => {
    const all = [engine.string(name), ...args];
    const result = engine.call(controlValue, all);
    for (const value of all) engine.free(value);
    return result;
  };
  engine.snapshot();

  return {
    engine,
    raw,
    control(name: string, value: Value): Value | undefined {
      const result = raw(name, [value]);
      return result === 0 || engine.isException(result) ? undefined : result;
    },
    attach(next: Bridge, functions: Group[]) {
      bridge = next;
      groups = functions;
      arrived = [];
      underWay = 0;
    },
    detach() {
      bridge = undefined;
    },
    namespaces: () => groups.map(({ name }) => name),
    hasFunction: (name: string) => groups.some(({ names }) => names.includes(`[${JSON.stringify(name)},`)),
    /** The next answer to a call that nobody blocks on; undefined when none is under way. */
    next(): Settled | undefined {
      if (underWay === 0) return undefined;
      underWay--;
      return arrived.shift() ?? bridge!.wait();
    },
    ask(namespace: string, name: string) {
      const answer = waitFor(bridge!.start(UNKNOWN_FUNCTION, JSON.stringify({ namespace, name })));
      if (answer.ok) return undefined;
      return JSON.parse(answer.text) as { code: Failure['code']; message: string };
    },
  };
}
