import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Bridge, Settled } from './guest.ts';
import { type AnswerMessage, CLOCK, type KitMessage, PRINT_OFFSET, type RunMessage, WORD } from './wire.ts';

/** Calls under way or queued at once; more make the script wait for some to settle. */
const MAX_OUTSTANDING = 1024;
/** Argument text of calls under way or queued, characters; more makes the script wait. */
const MAX_OUTSTANDING_TEXT = 16 * 1024 * 1024;
/** How long a wait spins before it sleeps, milliseconds: waking a sleeping thread costs more than most answers take. */
const SPIN_MS = 0.25;
/** Spins in vain, one after another, before waits sleep straight away. */
const PATIENCE = 4;
/** A sleep this short, milliseconds, was an answer that spinning would have met: waking alone takes most of it. */
const QUICK_SLEEP_MS = 0.2;
const MAX_BACK_OFF = 64;
/** Looks at the shared word between two looks at the clock. */
const SPIN_LOOKS = 200;

/** Decides whether a wait spins or sleeps at once: spinning pays only while what is waited for comes soon. */
interface Patience {
  spins(): boolean;
  spun(came: boolean): void;
  slept(ms: number): void;
  renew(): void;
}

function createPatience(): Patience {
  let left = PATIENCE;
  /** Quick answers slept through before spinning is tried again: doubled whenever that was in vain (one core). */
  let backOff = 1;
  let quickSleeps = 0;
  return {
    spins: () => left > 0,
    spun(came) {
      if (came) {
        left = PATIENCE;
        backOff = 1;
      } else if (--left === 0) backOff = Math.min(backOff * 2, MAX_BACK_OFF);
    },
    slept(ms) {
      if (left > 0 || ms >= QUICK_SLEEP_MS || ++quickSleeps < backOff) return;
      quickSleeps = 0;
      left = 1;
    },
    renew() {
      left = PATIENCE;
    },
  };
}

/** The worker's end of the wire. */
export interface WorkerEnd {
  /** Sleeps until the main thread has prepared what the guest is made of. */
  kit(): unknown;
  /** Sleeps until the main thread has a program. */
  nextRun(): RunMessage;
  /** The bridge of the run that begins now. */
  bridge(logBytes: number): Bridge;
  /** Guest CPU time of the present run, microseconds; -1 where the platform cannot tell. */
  cpuMicros(): number;
}

/** Opens the worker's end. Everything of the platform it needs is taken hold of here, before the worker is hardened. */
export function openWorkerEnd(port: MessagePort, firstShared: SharedArrayBuffer): WorkerEnd {
  const encoder = new TextEncoder();
  const { now } = Date;
  const clock = performance.now.bind(performance);
  const threadCpu: (() => NodeJS.CpuUsage) | undefined = process.threadCpuUsage?.bind(process);
  const cpu = () => {
    if (!threadCpu) return -1;
    const { user, system } = threadCpu();
    return user + system;
  };
  let words: Int32Array;
  let clocks: Float64Array;
  let print: Uint8Array;
  const use = (shared: SharedArrayBuffer) => {
    words = new Int32Array(shared, 0, PRINT_OFFSET / 4);
    clocks = new Float64Array(shared, 0, PRINT_OFFSET / 8);
    print = new Uint8Array(shared, PRINT_OFFSET);
  };
  use(firstShared);
  const forAnswers = createPatience();
  const forRuns = createPatience();

  /** Gives nothing only where a time limit is up, milliseconds. */
  function next<Message>(patience: Patience): Message;
  function next<Message>(patience: Patience, timeoutMs: number): Message | undefined;
  function next<Message>(patience: Patience, timeoutMs = Number.POSITIVE_INFINITY): Message | undefined {
    const deadline = clock() + timeoutMs;
    for (;;) {
      const seen = Atomics.load(words, WORD.sent);
      const received = receiveMessageOnPort(port) as { message: Message } | undefined;
      if (received) return received.message;
      if (patience.spins()) {
        const until = clock() + SPIN_MS;
        let came = false;
        do {
          for (let look = 0; look < SPIN_LOOKS && !came; look++) came = Atomics.load(words, WORD.sent) !== seen;
        } while (!came && clock() < until);
        // No more than was meant to be spun: a thread that lost its core meanwhile used none of that time.
        clocks[CLOCK.spun]! += Math.min(clock() - until + SPIN_MS, SPIN_MS) * 1000;
        patience.spun(came);
        if (came) continue;
      }
      const asleep = clock();
      Atomics.store(words, WORD.awake, 0);
      const woken = Atomics.wait(words, WORD.sent, seen, deadline - asleep);
      Atomics.store(words, WORD.awake, 1);
      if (woken === 'timed-out') return undefined;
      patience.slept(clock() - asleep);
    }
  }

  return {
    kit: () => next<KitMessage>(forRuns).kit,
    nextRun() {
      // An answer that crossed with the end of the run before is nobody's any more.
      let message = next<RunMessage | AnswerMessage>(forRuns);
      while (message.kind === 'answer') message = next(forRuns);
      if (message.shared) use(message.shared);
      return message;
    },
    cpuMicros() {
      const total = cpu();
      return total < 0 ? -1 : Math.max(0, total - clocks[CLOCK.baseline]! - clocks[CLOCK.spun]!);
    },
    bridge(logBytes) {
      let lastId = 0;
      let outstanding = 0;
      let outstandingText = 0;
      const sizes = new Map<number, number>();
      const arrived: Settled[] = [];
      forAnswers.renew();
      clocks[CLOCK.spun] = 0;
      clocks[CLOCK.baseline] = cpu();

      const take = (timeoutMs = Number.POSITIVE_INFINITY): Settled | undefined => {
        const started = now();
        clocks[CLOCK.waitingSince] = started;
        const answer = next<AnswerMessage>(forAnswers, timeoutMs);
        clocks[CLOCK.waitingSince] = 0;
        clocks[CLOCK.waited]! += now() - started;
        if (!answer) return undefined;
        const { id, ok, text } = answer;
        Atomics.add(words, WORD.taken, 1);
        outstanding--;
        outstandingText -= sizes.get(id) ?? 0;
        sizes.delete(id);
        return { id, ok, text };
      };
      return {
        start(index, args) {
          while (
            outstanding >= MAX_OUTSTANDING ||
            (outstanding > 0 && outstandingText + args.length > MAX_OUTSTANDING_TEXT)
          ) {
            arrived.push(take()!);
          }
          const id = ++lastId;
          outstanding++;
          outstandingText += args.length;
          sizes.set(id, args.length);
          port.postMessage({ kind: 'call', id, index, args });
          return id;
        },
        wait() {
          const early = arrived.shift();
          if (early) return early;
          if (outstanding === 0) throw new Error('A guest waits with no call under way');
          return take()!;
        },
        waitFor(timeoutMs) {
          return arrived.shift() ?? (outstanding === 0 ? undefined : take(timeoutMs));
        },
        log(text) {
          const used = words[WORD.printed]!;
          const room = Math.min(logBytes, print.length) - used;
          if (words[WORD.printedCut] === 1 || room <= 0) {
            words[WORD.printedCut] = 1;
            return;
          }
          const { read, written } = encoder.encodeInto(text, print.subarray(used, used + room));
          let end = used + written;
          if (read < text.length) words[WORD.printedCut] = 1;
          else if (written < room) print[end++] = NEW_LINE;
          // The length last: a reader never sees text that is not there yet.
          Atomics.store(words, WORD.printed, end);
        },
      };
    },
  };
}

const NEW_LINE = 10;
