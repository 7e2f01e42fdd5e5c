import type { HostFunction, Program } from '../../lib/sandbox/contract.ts';
import type { GuestResult } from '../guest.ts';
import { chooseValue, DEFAULT_ENTRY } from './entry.ts';
import { type Place, syntaxFailure } from './faults.ts';
import type { Machine } from './machine.ts';
import { isPlain, readSource } from './source.ts';
import { Failed, openSteps } from './steps.ts';

/** Words that seed a run's `Math.random`. */
const SEEDS = 3;

/** Runs a script from its text to its value; `place` says where it stands and is told of the form it is run in. */
export function runScript(
  machine: Machine,
  program: Program,
  functions: readonly HostFunction[],
  place: Place,
  random: (count: number) => Uint32Array<ArrayBuffer>,
): GuestResult {
  const { engine } = machine;
  const { code } = place.source;
  const entry = program.entry ?? DEFAULT_ENTRY;
  const steps = openSteps(machine, place, functions);
  const { step } = steps;
  try {
    if (!isPlain(code, entry)) {
      const read = readSource(code, entry);
      if ('message' in read) return syntaxFailure(read, place);
      place.source = read;
    }
    const seeds = random(SEEDS);
    const names = JSON.stringify(machine.namespaces());
    begin();
    let body = evaluate();
    if (body !== 0 && engine.isException(body)) {
      const failed = steps.explain(engine.exception(body));
      const { source } = place;
      // Only a text the engine refuses to parse may be tried again: nothing of it has run.
      if (failed.thrown?.name !== 'SyntaxError' || engine.compiles(source.code, source.async)) throw failed;
      const read = source.value === 'completion' ? readSource(code, entry) : source;
      if ('message' in read) return syntaxFailure(read, place);
      if (read.code === source.code && read.async === source.async) return { ...failed.failure, code: 'syntax' };
      place.source = read;
      if (read.async) begin();
      body = evaluate();
    }
    body = steps.settle(body);
    const { source } = place;
    if (source.async) {
      body = steps.follow(body);
      if (source.value !== 'returned') body = step('unwrap', body);
    }

    const value = steps.follow(chooseValue(machine, steps, { program, code, source, body }));
    steps.awaitForgotten();
    const text = step('encode', value);
    return engine.isUndefined(text) ? { ok: true } : { ok: true, value: engine.text(text) };

    function begin(): void {
      step(
        'begin',
        ...Array.from(seeds, engine.number),
        engine.string(names),
        engine.number(place.source.async ? 1 : 0),
        ...(program.params === undefined ? [] : [engine.string(program.params)]),
      );
    }

    function evaluate() {
      const { source } = place;
      return engine.evaluate(source.code, 'script', source.async && source.value !== 'returned');
    }
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
}
