import type { HostFunction } from '../../lib/sandbox/contract.ts';
import { FULFILLED, PENDING, type Value } from './engine.ts';
import { type Failure, failureOf, type Place, type Thrown } from './faults.ts';
import type { Machine, Step } from './machine.ts';

const NEVER_SETTLES =
  'the script awaits a promise that nothing will ever settle: await calls of host functions, or promises you settle yourself';

/** A run that has failed for a reason already put into words. */
export class Failed {
  readonly failure: Failure;
  readonly thrown: Thrown | undefined;
  constructor(failure: Failure, thrown?: Thrown) {
    this.failure = failure;
    this.thrown = thrown;
  }
}

/** What one run does in the engine, a step at a time; an exception that no script caught is thrown as `Failed`. */
export interface Steps {
  /** Calls a step of the prelude; its arguments are used up. */
  step(name: Step, ...args: Value[]): Value;
  /** The value, or the failure that the exception it stands for comes to. */
  settle(value: Value): Value;
  /** Runs jobs and delivers answers until the promise has settled; any other value is there already. */
  follow(value: Value): Value;
  /** Waits for calls nobody awaits, and says which of those nobody looked at have failed. */
  awaitForgotten(): void;
  /** Puts what a script threw into words. */
  explain(exception: Value): Failed;
}

/** Opens the steps of the run that begins; `place` may learn of another form of the source later. */
export function openSteps(machine: Machine, place: Place, functions: readonly HostFunction[]): Steps {
  const { engine, control } = machine;

  function explain(exception: Value): Failed {
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
    const advice = {
      namespaces: machine.namespaces(),
      functions,
      isFunction: machine.hasFunction,
      unknown: machine.ask,
    };
    return new Failed(failureOf(thrown, place, advice), thrown);
  }

  function settle(value: Value): Value {
    if (value === 0) throw new Failed({ ok: false, code: 'memory', message: 'the script ran out of memory' });
    if (engine.isException(value)) throw explain(engine.exception(value));
    return value;
  }

  const step = (name: Step, ...args: Value[]) => settle(machine.raw(name, args));

  /** Delivers the next answer to a call that nobody blocks on; false where none is under way. */
  function deliver(): boolean {
    const next = machine.next();
    if (!next) return false;
    step('settle', engine.number(next.id), engine.string(next.answer));
    return true;
  }

  return {
    step,
    settle,
    follow(value) {
      if (engine.promiseState(value) < 0) return value;
      for (;;) {
        engine.runJobs();
        const state = engine.promiseState(value);
        if (state === FULFILLED) return engine.promiseResult(value);
        if (state !== PENDING) throw explain(engine.promiseResult(value));
        if (!deliver()) throw new Failed({ ok: false, code: 'runtime', message: NEVER_SETTLES });
      }
    },
    awaitForgotten() {
      if (!machine.startedCalls()) return;
      while (engine.toNumber(step('forgotten')) > 0 && deliver()) engine.runJobs();
      step('report');
    },
    explain,
  };
}
