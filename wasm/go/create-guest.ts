import type { Limits, OutcomeCode, Program } from '../../lib/sandbox/contract.ts';
import type { CreateGuest, GuestResult } from '../guest.ts';
import { diagnose } from './diagnose.ts';
import { createInstance, type Heard, RESULT } from './instance.ts';
import { BASELINE_PAGES, type GoKit, PAGE_BYTES } from './kit.ts';

/** Go's collector is told to work harder this many bytes before the memory's end. */
const COLLECTOR_MARGIN_BYTES = 4 << 20;

/**
 * Makes the Go guest inside a worker from a kit made by `prepareGo`. Where the kit has no snapshot yet this takes a
 * tenth of a second or two and leaves one for the other workers.
 */
export const createGoGuest: CreateGuest<GoKit> = async (kit) => {
  const instance = createInstance(kit);
  const encoder = new TextEncoder();
  let fresh = true;

  function reset(): boolean {
    if (!fresh) instance.restore();
    fresh = true;
    return true;
  }

  return {
    run(program, functions, limits, bridge) {
      reset();
      fresh = false;
      const { answers, heard, memory } = instance;
      answers.begin(bridge);
      Object.assign(heard, { kind: -1, text: '', errorText: '', panic: undefined });
      heard.log = (text) => bridge.log(text);
      const mentioned = functions.flatMap(({ namespace, camel }, index) =>
        program.code.includes(namespace) ? [{ index, namespace, camel }] : [],
      );
      try {
        const request = encoder.encode(requestText(program, mentioned, limits));
        const at = instance.exports.reserve(request.length);
        memory.bytes().set(request, at);
        instance.exports.run();
      } catch (error) {
        return diagnose(error, heard);
      }
      return resultOf(heard);
    },
    reset,
  };
};

function requestText(
  program: Program,
  functions: readonly object[],
  limits: Pick<Limits, 'memoryBytes' | 'allowThreads'>,
): string {
  const { code, entry } = program;
  const memoryBytes = BASELINE_PAGES * PAGE_BYTES + limits.memoryBytes - COLLECTOR_MARGIN_BYTES;
  const rest = JSON.stringify({ code, entry, functions, allowThreads: limits.allowThreads, memoryBytes });
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
