import type { HostFunction, Limits, OutcomeCode, Program } from '../lib/sandbox/contract.ts';

/**
 * What a language brings into the worker: an interpreter that runs one program at a time and comes back fresh.
 * Everything here happens inside the worker thread and is synchronous; only strings and numbers leave it.
 */

/** A settled host call: JSON text of the value, or of `{code, message, tool}`. */
export interface Settled {
  id: number;
  ok: boolean;
  text: string;
}

/** The guest's only way out. */
export interface Bridge {
  /**
   * Starts a call of `functions[index]` (or `UNKNOWN_FUNCTION`) and returns its id (from 1). Never blocks: calls over
   * `maxParallelCalls` queue on the host's side.
   */
  start(index: number, args: string): number;
  /** Blocks the worker until a call not yet delivered has settled. Must not be called with nothing under way. */
  wait(): Settled;
  /** The same for at most so many milliseconds: Go's sleeping goroutines must wake while a call is under way. */
  waitFor(timeoutMs: number): Settled | undefined;
  /** Hands over one printed text at once, so that it survives a kill; the host splits lines and caps. */
  log(text: string): void;
}

/** How the guest's run ended, before limits enforced from outside are applied. */
export type GuestResult =
  | { ok: true; value?: string }
  | { ok: false; code: OutcomeCode; message: string; line?: number; column?: number };

/** One loaded interpreter. */
export interface Guest {
  /** Runs a program in a fresh state. Throws only for a fault of ours: the worker is then thrown away. */
  run(
    program: Program,
    functions: readonly HostFunction[],
    limits: Pick<Limits, 'memoryBytes' | 'allowThreads'>,
    bridge: Bridge,
  ): GuestResult;
  /** Makes the interpreter fresh again, off the critical path. False: it cannot, throw the worker away. */
  reset(): boolean;
}

/**
 * A language's kit: what its workers need, made ready on the main thread once a process and memory limit (bytes above
 * the interpreter's own need), and posted to each worker: compiled modules, texts, shared snapshots. Structured clone
 * carries compiled modules without copying their code.
 */
export type PrepareKit<Kit> = (memoryBytes: number) => Promise<Kit>;

/**
 * Makes the guest of a language, in the worker, before it is hardened: so it may still import, and must take hold of every
 * platform function it needs later (`TextDecoder`, `crypto`, `WebAssembly`, `performance` …), since they go.
 */
export type CreateGuest<Kit> = (kit: Kit) => Promise<Guest>;
