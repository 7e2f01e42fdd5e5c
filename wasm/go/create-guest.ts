import type { OutcomeCode, Program } from '../../lib/sandbox/contract.ts';
import type { CreateGuest, GuestResult } from '../guest.ts';
import { excerpt } from '../repair/excerpt.ts';
import { stripFences } from '../repair/fences.ts';
import { advise } from './advice.ts';
import { diagnose } from './diagnose.ts';
import { createInstance, type Heard, RESULT } from './instance.ts';
import type { GoKit } from './kit.ts';
import { openSnapshot } from './snapshot.ts';
import type { Sources } from './wasi.ts';

/** Go's collector is told to work harder this many bytes before the memory's end. */
const COLLECTOR_MARGIN_BYTES = 4 << 20;

/**
 * Makes the Go guest inside a worker from a kit made by `prepareGo`. The module begins initialised (`bake.ts`): every
 * run starts from that state again.
 */
export const createGoGuest: CreateGuest<GoKit> = async (kit) => {
  const instance = createInstance(kit, platformSources());
  const snapshot = openSnapshot(kit.snapshot, kit.globals.length);
  snapshot.capture(instance.current);
  const encoder = new TextEncoder();
  let fresh = true;

  function reset(): boolean {
    if (!fresh && !snapshot.restore(instance.current)) instance.renew();
    fresh = true;
    return true;
  }

  return {
    run(program, functions, limits, bridge) {
      const { code, lineOffset } = stripFences(program.code);
      reset();
      fresh = false;
      const { answers, heard, memory } = instance;
      answers.begin(bridge);
      Object.assign(heard, { kind: -1, text: '', errorText: '', panic: undefined });
      heard.log = (text) => bridge.log(text);
      const mentioned = functions.flatMap(({ namespace, camel }, index) =>
        code.includes(namespace) ? [{ index, namespace, camel }] : [],
      );
      try {
        const request = encoder.encode(requestText({ ...program, code }, mentioned, limits.allowThreads, kit));
        const at = instance.current.exports.reserve(request.length);
        memory.bytes().set(request, at);
        instance.current.exports.run();
      } catch (error) {
        return placed(diagnose(error, heard), program.code, lineOffset);
      }
      const result = resultOf(heard);
      return placed(result.ok ? result : advise(result, functions, code), program.code, lineOffset);
    },
    reset,
  };
};

/** Counts a failure's line in the source as the user wrote it, and shows the line. */
function placed(result: GuestResult, source: string, lineOffset: number): GuestResult {
  if (result.ok || result.line === undefined) return result;
  const line = result.line + lineOffset;
  const shown = excerpt(source, line, result.column);
  return { ...result, line, message: shown ? `${result.message}\n${shown}` : result.message };
}

/** The platform's clock and randomness, taken hold of now: a hardened worker has neither name left. */
function platformSources(): Sources {
  const randomness = crypto;
  const clock = performance;
  const { timeOrigin } = performance;
  return {
    now: () => BigInt(Date.now()) * 1_000_000n,
    monotonic: () => BigInt(Math.round((timeOrigin + clock.now()) * 1000)) * 1000n,
    fill: (bytes) => randomness.getRandomValues(bytes),
  };
}

function requestText(program: Program, functions: readonly object[], allowThreads: boolean, kit: GoKit): string {
  const { code, entry } = program;
  const memoryBytes = kit.maximumBytes - COLLECTOR_MARGIN_BYTES;
  const rest = JSON.stringify({ code, entry, functions, allowThreads, memoryBytes });
  return `{"params":${program.params ?? 'null'},${rest.slice(1)}`;
}

function resultOf(heard: Heard): GuestResult {
  if (heard.kind === RESULT.value) return { ok: true, value: heard.text };
  if (heard.kind === RESULT.empty) return { ok: true };
  if (heard.kind !== RESULT.failed) throw new Error('the Go guest ended without a result');
  const failure = JSON.parse(heard.text) as { code: OutcomeCode; message: string; line: number; column: number };
  const { code, message, line, column } = failure;
  return { ok: false, code, message, ...(line > 0 ? { line } : {}), ...(column > 0 ? { column } : {}) };
}
