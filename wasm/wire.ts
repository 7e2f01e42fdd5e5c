import type { HostFunction, Limits, OutcomeCode, Program } from '../lib/sandbox/contract.ts';

/**
 * The wire between the main thread and a worker: messages through one port, and one shared block of memory whose words
 * wake the worker, tell how its time is spent, and hold what it has printed, so that all of that outlives a kill.
 */

/** Words of the shared block (`Int32Array`). */
export const WORD = {
  /** Counts what the main thread has sent; the worker sleeps on it. */
  sent: 0,
  /** Answers the worker has taken; the main thread holds new calls back while too many lie untaken. */
  taken: 1,
  /** Bytes of text printed so far in this run. */
  printed: 2,
  /** 1 when printing was cut. */
  printedCut: 3,
  /** 1 while the worker runs or spins, 0 while it sleeps; behind the clocks. */
  awake: 12,
} as const;

/** Doubles of the shared block (`Float64Array`), behind the words. */
export const CLOCK = {
  /** The worker's CPU time when the run began, microseconds; -1 where the platform cannot tell. */
  baseline: 2,
  /** CPU time spent spinning for answers, which is not the guest's, microseconds. */
  spun: 3,
  /** Wall time spent waiting for answers, milliseconds. */
  waited: 4,
  /** When the present wait began, milliseconds of `Date.now()`; 0 when the guest is running. */
  waitingSince: 5,
} as const;

/** Where printed text begins, bytes. */
export const PRINT_OFFSET = 64;

/** Main thread → worker, first of all: what its guest is made of. The worker loads its code while that is being prepared. */
export interface KitMessage {
  kind: 'kit';
  kit: unknown;
}

/** Main thread → worker: run a program. `functions` is absent when they are those of the run before. */
export interface RunMessage {
  kind: 'run';
  program: Program;
  functions?: readonly HostFunction[];
  limits: Pick<Limits, 'memoryBytes' | 'allowThreads' | 'maxLogBytes' | 'maxResultBytes'>;
  /** A bigger shared block than the present one, where the log needs it. */
  shared?: SharedArrayBuffer;
}

/** Main thread → worker: a call's answer. */
export interface AnswerMessage {
  kind: 'answer';
  id: number;
  ok: boolean;
  text: string;
}

/** Worker → main thread. */
export type WorkerMessage =
  /** Can take a program; `resetMs` is what becoming fresh again took, milliseconds (infinite: it is new). */
  | { kind: 'ready'; resetMs: number }
  /** The worker cannot be used again; `fault` tells where our own code failed. */
  | { kind: 'spent'; fault?: string }
  | { kind: 'call'; id: number; index: number; args: string }
  | { kind: 'ended'; ok: true; value?: string; cpuMicros: number }
  | {
      kind: 'ended';
      ok: false;
      code: OutcomeCode;
      message: string;
      line?: number;
      column?: number;
      cpuMicros: number;
    };

/** What a worker is born with. */
export interface WorkerData {
  /** Key of the guest table. */
  guest: string;
  port: MessagePort;
  shared: SharedArrayBuffer;
  /** Folder for compiled code, where there is one. */
  compileCache?: string | undefined;
}

/** Makes a shared block with room for `logBytes` of printed text. */
export function createShared(logBytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(PRINT_OFFSET + logBytes);
}
