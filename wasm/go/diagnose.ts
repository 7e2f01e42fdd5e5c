import type { GuestResult } from '../guest.ts';
import { type Heard, RESULT } from './instance.ts';
import { GuestDeadlock, GuestExit } from './wasi.ts';

const DEADLOCK = 'every goroutine waits for another (deadlock): nothing can ever continue';
const TOO_DEEP = 'recursion is too deep';

/** Taken hold of here: a hardened worker has no `WebAssembly` left. */
const { RuntimeError } = WebAssembly;

/** What Go's runtime prints when it dies, and what it means for a script. First match counts. */
const DEATHS: readonly (readonly [said: RegExp, code: 'memory' | 'runtime', message: string])[] = [
  [/out of memory|cannot allocate memory|failed to allocate/, 'memory', 'the script ran out of memory'],
  [/all goroutines are asleep/, 'runtime', DEADLOCK],
  [/stack overflow|stack exceeds/, 'runtime', TOO_DEEP],
];

/**
 * Says how a run ended whose guest died: out of memory, a panic in a goroutine, a deadlock. Anything that is not
 * the guest's own death is thrown on.
 */
export function diagnose(error: unknown, heard: Heard): GuestResult {
  const place = heard.panic ?? {};
  if (error instanceof GuestDeadlock) return { ok: false, code: 'runtime', message: DEADLOCK };
  // V8's own stack ran out: a value, a type or a source text nests too deeply.
  if (error instanceof RangeError) {
    const code = heard.kind === RESULT.started ? 'runtime' : 'syntax';
    return { ok: false, code, message: code === 'syntax' ? 'the source nests too deeply' : TOO_DEEP };
  }
  if (!(error instanceof GuestExit) && !(error instanceof RuntimeError)) throw error;
  for (const [said, code, message] of DEATHS) {
    if (said.test(heard.errorText)) return { ok: false, code, message };
  }
  const panicked = /^panic: ([^\n]*)/m.exec(heard.errorText);
  if (panicked) return { ok: false, code: 'runtime', message: `panic in a goroutine: ${panicked[1]}`, ...place };
  const fatal = /^fatal error: ([^\n]*)/m.exec(heard.errorText);
  if (fatal) return { ok: false, code: 'runtime', message: fatal[1]!, ...place };
  if (error instanceof GuestExit)
    return { ok: false, code: 'runtime', message: `the script ended itself (${error.message})` };
  throw error;
}
