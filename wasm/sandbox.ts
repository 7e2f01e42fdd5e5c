import type { Language, Outcome, Sandbox } from '../lib/sandbox/contract.ts';
import { LANGUAGES } from './languages.ts';
import { openPool, type Pool } from './pool.ts';

/** How a sandbox is set up. */
export interface SandboxOptions {
  /** Languages that may run; others end as `language_disabled`. */
  languages: readonly Language[];
  /** Ready workers kept a language, beside those that run. */
  spares?: number;
  /** Guest memory the spares are made for, bytes; runs with another limit get workers of their own. */
  memoryBytes?: number;
  /** Runs at once; more wait their turn, owners taking turns. */
  maxRuns?: number;
  /**
   * `background`: spares are prepared while nobody waits. `quiet`, for a platform that freezes between requests: nothing
   * is left to do once a run has answered; a worker lost to a kill is replaced on the next run.
   */
  upkeep?: 'background' | 'quiet';
}

const DEFAULT_SPARES = 1;
const DEFAULT_MEMORY_BYTES = 64 * 1024 * 1024;
/** Runs at once in one process: each holds a thread and up to its memory limit. */
const DEFAULT_MAX_RUNS = 32;

/** Starts a sandbox. Cheap: interpreters are read and compiled when first used, or by `warm`. */
export function createSandbox({
  languages,
  spares = DEFAULT_SPARES,
  memoryBytes = DEFAULT_MEMORY_BYTES,
  maxRuns = DEFAULT_MAX_RUNS,
  upkeep = 'background',
}: SandboxOptions): Sandbox {
  const pools = new Map<string, Pool>();
  const turns = createTurns(maxRuns);
  const busy = createKeepAlive();

  const poolFor = (language: Language, memory: number): Pool => {
    const key = `${language} ${memory}`;
    let pool = pools.get(key);
    if (!pool) {
      pool = openPool(language, memory, spares);
      pools.set(key, pool);
    }
    return pool;
  };
  const failed = (code: 'language_disabled' | 'cancelled' | 'internal', message: string): Outcome => ({
    ok: false,
    code,
    message,
    logs: [],
    cpuMs: 0,
  });
  const left = () => failed('cancelled', 'the run was cancelled by its client');

  return {
    languages,
    async run(program, functions, limits, call, signal) {
      if (!languages.includes(program.language) || !LANGUAGES[program.language]) {
        return failed('language_disabled', `${program.language} is not enabled here; use ${languages.join(', ')}`);
      }
      using _ = busy.hold();
      const release = program.nested ? () => {} : await turns.take(program.owner ?? '', signal);
      if (!release) return left();
      const pool = poolFor(program.language, limits.memoryBytes);
      try {
        const worker = await pool.take();
        if (upkeep === 'background') pool.fill().catch(() => {});
        // Whoever has left meanwhile would only cost the worker.
        const outcome = signal.aborted ? left() : await worker.run(program, functions, limits, call, signal);
        const given = pool.give(worker);
        if (upkeep === 'quiet') await given;
        else given.catch(() => {});
        return outcome;
      } catch {
        return failed('internal', 'the sandbox could not start; run the script again');
      } finally {
        release();
      }
    },
    async warm(wanted) {
      using _ = busy.hold();
      const known = wanted.filter((language) => languages.includes(language) && LANGUAGES[language]);
      await Promise.all(known.map((language) => poolFor(language, memoryBytes).fill()));
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      pools.clear();
    },
  };
}

/** Longest a timer can be set for, milliseconds. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Workers do not keep the process alive, so that idle ones never do; what is pending here does. */
function createKeepAlive() {
  let holders = 0;
  let timer: NodeJS.Timeout | undefined;
  const letGo = () => {
    holders--;
    if (holders === 0) clearInterval(timer);
  };
  return {
    hold(): Disposable {
      holders++;
      if (holders === 1) timer = setInterval(() => {}, FOR_EVER_MS);
      return { [Symbol.dispose]: letGo };
    },
  };
}

/**
 * Hands out `places` at once; those who wait are served one owner after another, each owner's in order. One owner holds at
 * most half of the places, so that runs that only wait cannot keep everybody else out; runs of no known owner hold any.
 */
function createTurns(places: number) {
  const share = Math.ceil(places / 2);
  let free = places;
  const held = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();

  const open = (owner: string) => free > 0 && (owner === '' || (held.get(owner) ?? 0) < share);
  const hold = (owner: string) => {
    free--;
    held.set(owner, (held.get(owner) ?? 0) + 1);
  };
  const release = (owner: string) => {
    free++;
    const left = held.get(owner)! - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
    // Whoever may go now; those at their share stay where they are in the line.
    for (const [next, waiting] of queues) {
      if (!open(next)) continue;
      queues.delete(next);
      const go = waiting.shift()!;
      // To the end of the line, so that the other owners come first.
      if (waiting.length > 0) queues.set(next, waiting);
      hold(next);
      go();
      return;
    }
  };
  return {
    /** A function that gives the place back; undefined when the signal fires first. */
    async take(owner: string, signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) return undefined;
      const giveBack = () => release(owner);
      if (open(owner)) {
        hold(owner);
        return giveBack;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const go = () => resolve(true);
      const waiting = queues.get(owner);
      if (waiting) waiting.push(go);
      else queues.set(owner, [go]);
      const give = () => {
        const queue = queues.get(owner);
        const at = queue?.indexOf(go) ?? -1;
        if (at < 0) return;
        queue!.splice(at, 1);
        if (queue!.length === 0) queues.delete(owner);
        resolve(false);
      };
      signal.addEventListener('abort', give, { once: true });
      const served = await promise;
      signal.removeEventListener('abort', give);
      return served ? giveBack : undefined;
    },
  };
}
