import type { CreateGuest, Guest, GuestResult } from '../guest.ts';
import { createRandomness } from '../randomness.ts';
import { stripFences } from '../repair/fences.ts';
import { failureOf, type Place, syntaxFailure } from './faults.ts';
import { startMachine } from './machine.ts';
import type { JavascriptKit } from './prepare-javascript.ts';
import { runScript } from './run-script.ts';
import type { Source, SyntaxFault } from './source.ts';

/** The JavaScript guest: QuickJS from a snapshot, so that each run starts from the same untouched memory. */
export const createGuest: CreateGuest<JavascriptKit> = async (kit) => createJavascriptGuest(kit);

/** As `createGuest`, at once; `translate` makes JavaScript of another language, every position kept. */
export function createJavascriptGuest(kit: JavascriptKit, translate?: (code: string) => string | SyntaxFault): Guest {
  const random = createRandomness();
  let machine = startMachine(kit);
  let spoilt = false;

  return {
    run(program, functions, _limits, bridge) {
      const { code, lineOffset } = stripFences(program.code);
      const place: Place = { written: program.code, lineOffset, source: plain(code) };
      const translated = translate ? translate(code) : code;
      if (typeof translated !== 'string') return syntaxFailure(translated, place);
      place.source = plain(translated);
      machine.attach(bridge, functions);
      try {
        const result = runScript(machine, program, functions, place, random);
        if (!machine.engine.overran()) return result;
        spoilt = true;
        return tooDeep(place);
      } catch (error) {
        spoilt = true;
        // The thread's own stack ended, or C's in the engine.
        if (error instanceof RangeError || machine.engine.overran()) return tooDeep(place);
        throw error;
      }
    },
    reset() {
      if (spoilt || !machine.engine.restore()) machine = startMachine(kit);
      spoilt = false;
      machine.detach();
      return true;
    },
  };
}

/** A source as it goes to the engine unread. */
function plain(code: string): Source {
  return { code, extraLines: 0, async: false, value: 'completion' };
}

function tooDeep(place: Place): GuestResult {
  const noAdvice = { namespaces: [], functions: [], isFunction: () => false, unknown: () => undefined };
  return failureOf({ name: 'InternalError', message: 'stack overflow', stack: '' }, place, noAdvice);
}
