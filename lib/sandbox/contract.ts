/**
 * What the rest of the house knows of a sandbox. Imports nothing, so that `wasm/` needs nothing else of `lib/`.
 * Values cross as JSON text: no host object ever enters a guest.
 */

/** A language a script can be written in; `typescript` runs wherever `javascript` does. */
export type Language = 'javascript' | 'typescript' | 'lua' | 'go';

/** A script to run. */
export interface Program {
  language: Language;
  /** The source as the user wrote it. */
  code: string;
  /** Name of the function to call. Absent: `Run`, and where there is none the body's own value may count. */
  entry?: string;
  /** JSON text of the entry's single argument. */
  params?: string;
  /** Whose run it is: when runs have to queue, owners take turns. */
  owner?: string;
  /** Run for a script that itself runs and waits: takes no place of its own, which it could wait for in vain. */
  nested?: boolean;
}

/** The names a script calls a host function by; its index in the list given to `run` is its id. */
export interface HostFunction {
  namespace: string;
  /** In JavaScript, TypeScript and Lua. */
  snake: string;
  /** In Go. */
  camel: string;
}

/** CPU time of several runs that count as one: a script, and the scripts it runs. Starts as `{ endedMs: 0, running: new Set() }`. */
export interface CpuMeter {
  /** Milliseconds that those which have ended have used. */
  endedMs: number;
  /** Those under way: milliseconds used so far, and a wish to look again at once. */
  running: Set<{ read(): Promise<number>; look(): void }>;
}

/** Bounds of one run. */
export interface Limits {
  /** Guest CPU time, milliseconds; time spent waiting for calls does not count. */
  cpuMs: number;
  /** Where the runs that share `cpuMs` are counted; absent: this one has it alone. */
  cpuMeter?: CpuMeter;
  /** Wall time of the whole run, milliseconds. */
  wallMs: number;
  /** Guest memory, bytes, above what the interpreter itself needs. */
  memoryBytes: number;
  /** Host calls of one run under way at once. */
  maxParallelCalls: number;
  /** Bytes of `logs` kept (UTF-8); what comes after is cut with a note. */
  maxLogBytes: number;
  /** Bytes of the value (UTF-8 JSON); more is `output_too_large`. */
  maxResultBytes: number;
  /** Whether Go scripts may use `go` and `select`. */
  allowThreads: boolean;
}

/**
 * The `function` of a call to a name the guest does not know: `args` is then `{"namespace": …, "name": …}` (`name` may be
 * empty for an unknown namespace). The host answers with the error to show, suggestion included.
 */
export const UNKNOWN_FUNCTION = -1;

/** A call from a script to a host function. */
export interface Call {
  /** Index into the functions given to `run`, or `UNKNOWN_FUNCTION`. */
  function: number;
  /** JSON text of the argument; `{}` where the script gave none, an array where it gave several. */
  args: string;
}

/** The host's answer: JSON text of the value, or an error the script can catch (unless `fatal`, which ends the run). */
export type CallReply =
  | { ok: true; value: string }
  | { ok: false; code: OutcomeCode; message: string; tool: string; fatal?: boolean };

/** Carries a call out; never rejects. The signal fires when the run has ended for whatever reason. */
export type HostCall = (call: Call, signal: AbortSignal) => Promise<CallReply>;

/** The error codes a run can end with (a subset of CONTRACT's closed list, kept in step by a test). */
export const OUTCOME_CODES = [
  'syntax',
  'runtime',
  'entry_not_found',
  'language_disabled',
  'timeout',
  'call_timeout',
  'memory',
  'tool_calls_exceeded',
  'output_too_large',
  'forbidden',
  'function_not_found',
  'tool_failed',
  'upstream_unavailable',
  'invalid_arguments',
  'store_disabled',
  'code_not_found',
  'not_runnable',
  'quota_exceeded',
  'cancelled',
  'internal',
] as const;

/** One of `OUTCOME_CODES`. */
export type OutcomeCode = (typeof OUTCOME_CODES)[number];

/** How a run ended. `logs` holds one line a printed line, in order, also after a failure. */
export type Outcome =
  | {
      ok: true;
      /** JSON text; absent when nothing was returned. */
      value?: string;
      logs: string[];
      cpuMs: number;
    }
  | {
      ok: false;
      code: OutcomeCode;
      /** What happened and what to change; includes the offending line with a caret where one is known. */
      message: string;
      /** In the user's own source, both from 1. */
      line?: number;
      column?: number;
      logs: string[];
      cpuMs: number;
    };

/** Runs scripts. Never throws for a guest's fault; a fresh guest every run. */
export interface Sandbox {
  /** The languages that can run here. */
  readonly languages: readonly Language[];
  run(
    program: Program,
    functions: readonly HostFunction[],
    limits: Limits,
    call: HostCall,
    signal: AbortSignal,
  ): Promise<Outcome>;
  /** Prepares a guest of each of these languages ahead of its first run. */
  warm(languages: readonly Language[]): Promise<void>;
  close(): Promise<void>;
}
