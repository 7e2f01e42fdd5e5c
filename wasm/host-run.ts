import type { CallReply, HostCall, Limits, Outcome, OutcomeCode } from '../lib/sandbox/contract.ts';
import { OUTCOME_CODES } from '../lib/sandbox/contract.ts';
import { type AnswerMessage, CLOCK, PRINT_OFFSET, WORD, type WorkerMessage } from './wire.ts';

/** How a run ended, logs and CPU time aside. */
export type Ending =
  | { ok: true; value?: string }
  | { ok: false; code: OutcomeCode; message: string; line?: number; column?: number };

/** A run under way, seen from the main thread. */
export interface Run {
  call(message: Extract<WorkerMessage, { kind: 'call' }>): void;
  ended(message: Extract<WorkerMessage, { kind: 'ended' }>): void;
  /** Ends the run, whose worker is gone. */
  lost(ending: Ending): void;
}

/** What a run needs of the world. */
export interface RunParts {
  limits: Limits;
  call: HostCall;
  signal: AbortSignal;
  shared: SharedArrayBuffer;
  send(message: AnswerMessage): void;
  /** CPU time of the worker's thread; undefined where the platform cannot tell (Node before 24.6). */
  cpuUsage(): Promise<NodeJS.CpuUsage> | undefined;
  /** Stops the worker for good. */
  kill(): void;
  done(outcome: Outcome): void;
}

/** Answers that lie untaken, characters: above it no further call is started until the script has taken some. */
const MAX_UNTAKEN_TEXT = 32 * 1024 * 1024;
/** How often a held-back queue looks again, milliseconds. */
const HELD_BACK_MS = 5;
/** Shortest time between two looks at the CPU clock, milliseconds. */
const SHORTEST_LOOK_MS = 2;
/** Longest wait for a last look at the clock of a run that is over, milliseconds. */
const LAST_LOOK_MS = 250;
/** Longest message of a failed run, characters: a script may throw whatever fits into its memory. */
const MAX_MESSAGE_CHARS = 16_000;
const CUT_NOTE = '[the log was cut here: limits.max_log_bytes is reached]';

/** Starts watching a run: its clocks, its calls, its end. */
export function openRun({ limits, call, signal, shared, send, cpuUsage, kill, done }: RunParts): Run {
  const words = new Int32Array(shared, 0, PRINT_OFFSET / 4);
  const clocks = new Float64Array(shared, 0, PRINT_OFFSET / 8);
  words[WORD.taken] = 0;
  words[WORD.printed] = 0;
  words[WORD.printedCut] = 0;
  clocks[CLOCK.baseline] = Number.NaN;
  clocks[CLOCK.spun] = 0;
  clocks[CLOCK.waited] = 0;
  clocks[CLOCK.waitingSince] = 0;

  const started = Date.now();
  const stop = new AbortController();
  const queue: { id: number; index: number; args: string }[] = [];
  let open = true;
  let underWay = 0;
  let held: NodeJS.Timeout | undefined;
  let cpuTimer: NodeJS.Timeout | undefined;
  let cpuMs = 0;
  /** How it ends, after a last look at its clock. */
  let closing: Ending | undefined;
  const meter = limits.cpuMeter ?? { endedMs: 0, running: new Set() };
  const own = { read: readCpu, look: () => lookAfter(0) };
  /** Sizes of the answers sent, oldest first; those before `taken` are out of the way. */
  const sizes: number[] = [];
  let seenTaken = 0;
  let untakenText = 0;

  const end = (ending: Ending, keepWorker = false) => {
    if (!open) return;
    open = false;
    clearTimeout(held);
    clearTimeout(cpuTimer);
    clearTimeout(wallTimer);
    signal.removeEventListener('abort', onAbort);
    queue.length = 0;
    meter.running.delete(own);
    meter.endedMs += cpuMs;
    for (const other of meter.running) other.look();
    const logs = readLogs(words, shared);
    if (!keepWorker) kill();
    stop.abort();
    done({ ...(ending.ok ? ending : { ...ending, message: cut(ending.message) }), logs, cpuMs });
  };
  /** Ends the run, its clock read while there is a worker to ask. */
  const fail = (code: OutcomeCode, message: string) => {
    if (!open || closing) return;
    const ending: Ending = { ok: false, code, message };
    closing = ending;
    const late = setTimeout(() => lost(ending), LAST_LOOK_MS);
    readCpu()
      .catch(wallSpent)
      .then(
        (used) => {
          clearTimeout(late);
          cpuMs = used;
          end(ending);
        },
        () => {},
      );
  };
  /** Ends the run, its clock out of reach: by the wall's, or whoever loses worker after worker would never be at the limit. */
  const lost = (ending: Ending) => {
    if (!open) return;
    cpuMs = Math.max(cpuMs, wallSpent());
    end(closing ?? ending);
  };
  const onAbort = () => fail('cancelled', 'the run was cancelled by its client');

  const wallTimer = setTimeout(() => {
    fail(
      'timeout',
      `the run took longer than ${limits.wallMs} ms in all, waiting for calls included; do less in one run`,
    );
  }, limits.wallMs);

  /** Guest CPU milliseconds so far. */
  async function readCpu(): Promise<number> {
    const baseline = clocks[CLOCK.baseline]!;
    if (Number.isNaN(baseline)) return 0;
    const usage = baseline >= 0 ? await cpuUsage() : undefined;
    if (usage) return Math.max(0, (usage.user + usage.system - baseline - clocks[CLOCK.spun]!) / 1000);
    return wallSpent();
  }
  /** Milliseconds by the wall's clock that the guest did not wait: the most it can have used. */
  function wallSpent(): number {
    if (Number.isNaN(clocks[CLOCK.baseline]!)) return 0;
    const since = clocks[CLOCK.waitingSince]!;
    return Math.max(0, Date.now() - started - clocks[CLOCK.waited]! - (since > 0 ? Date.now() - since : 0));
  }
  /** As `readCpu`, with all that shares the limit. */
  async function readShared(): Promise<number> {
    // One that ends meanwhile would be counted twice with what is noted of it then.
    const { endedMs } = meter;
    const others = [...meter.running].filter((run) => run !== own).map((run) => run.read().catch(() => 0));
    cpuMs = await readCpu();
    return (await Promise.all(others)).reduce((sum, used) => sum + used, endedMs + cpuMs);
  }
  /** CPU time never runs faster than the wall's in each run: the next look is due when the rest could be used up. */
  function lookAfter(ms: number): void {
    clearTimeout(cpuTimer);
    cpuTimer = setTimeout(
      () => {
        readShared().then(
          (used) => {
            if (!open) return;
            if (used < limits.cpuMs) lookAfter((limits.cpuMs - used) / meter.running.size);
            else {
              const who = used > cpuMs ? 'the script and those it runs' : 'the script';
              const advice = 'do less work, or split it over several runs';
              fail('timeout', `${who} used more than ${limits.cpuMs} ms of CPU time; ${advice}`);
            }
          },
          () => {},
        );
      },
      Math.max(SHORTEST_LOOK_MS, ms),
    );
  }
  const shares = meter.endedMs > 0 || meter.running.size > 0;
  meter.running.add(own);
  lookAfter(shares ? 0 : limits.cpuMs);

  const countTaken = () => {
    for (const taken = Atomics.load(words, WORD.taken); seenTaken < taken; seenTaken++)
      untakenText -= sizes.shift() ?? 0;
  };
  const pump = () => {
    clearTimeout(held);
    held = undefined;
    while (open && !closing && queue.length > 0 && underWay < limits.maxParallelCalls) {
      countTaken();
      if (untakenText > MAX_UNTAKEN_TEXT) {
        held = setTimeout(pump, HELD_BACK_MS);
        return;
      }
      const next = queue.shift()!;
      underWay++;
      call({ function: next.index, args: next.args }, stop.signal).then(
        (reply) => answer(next.id, reply),
        () => fail('internal', 'a call failed inside the server'),
      );
    }
  };
  const answer = (id: number, reply: CallReply) => {
    underWay--;
    if (!open || closing) return;
    if (!reply.ok && reply.fatal) {
      fail(reply.code, reply.message);
      return;
    }
    const text = reply.ok
      ? reply.value
      : JSON.stringify({ code: reply.code, message: reply.message, tool: reply.tool });
    sizes.push(text.length);
    untakenText += text.length;
    send({ kind: 'answer', id, ok: reply.ok, text });
    pump();
  };

  if (signal.aborted) queueMicrotask(onAbort);
  else signal.addEventListener('abort', onAbort, { once: true });

  return {
    call({ id, index, args }) {
      if (!open) return;
      queue.push({ id, index, args });
      pump();
    },
    ended({ kind: _, cpuMicros, ...ending }) {
      if (cpuMicros >= 0) cpuMs = cpuMicros / 1000;
      else cpuMs = Math.max(0, Date.now() - started - clocks[CLOCK.waited]!);
      if (closing) {
        end(closing, true);
        return;
      }
      if (ending.ok && ending.value !== undefined && !isJson(ending.value)) {
        end({ ok: false, code: 'internal', message: 'the sandbox returned something that is not JSON' });
        return;
      }
      // What a worker says is no more to be trusted than what runs in it.
      if (!ending.ok && !(OUTCOME_CODES.includes(ending.code) && typeof ending.message === 'string')) {
        end({ ok: false, code: 'internal', message: 'the sandbox ended in a way that has no name' });
        return;
      }
      end(ending, true);
    },
    lost,
  };
}

function cut(message: string): string {
  return message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}…` : message;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The lines printed so far; what a multi-byte character was cut out of becomes a replacement character. */
function readLogs(words: Int32Array, shared: SharedArrayBuffer): string[] {
  const length = Atomics.load(words, WORD.printed);
  const cut = words[WORD.printedCut] === 1;
  if (length <= 0 && !cut) return [];
  const text = Buffer.from(
    new Uint8Array(shared, PRINT_OFFSET, Math.min(length, shared.byteLength - PRINT_OFFSET)),
  ).toString();
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  if (cut) lines.push(CUT_NOTE);
  return lines;
}
