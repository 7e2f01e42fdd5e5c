import { availableParallelism } from 'node:os';
import type { Language } from '../lib/sandbox/contract.ts';
import { type HostWorker, startHostWorker } from './host-worker.ts';
import { LANGUAGES } from './languages.ts';

/** Workers of one guest and memory limit that wait for a program. */
export interface Pool {
  /** A worker that is ready: one that will be fresh at once, else a spare, else whichever is free or started first. */
  take(): Promise<HostWorker>;
  /** Gives a worker back after its run; it is kept once it is fresh again. */
  give(worker: HostWorker): Promise<void>;
  /** Sees to it that spares are ready. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

/** A reset as short as this, milliseconds, is waited for rather than waking a spare, which takes about as long. */
const SOON_MS = 0.2;
/** Workers that start at once: more only make each other late, while the first to be there could serve those who wait. */
const STARTS_AT_ONCE = availableParallelism();

/** Opens the pool of a language. `spares` workers are kept ready beside those that run. */
export function openPool(language: Language, memoryBytes: number, spares: number): Pool {
  const entry = LANGUAGES[language];
  if (!entry) throw new Error(`The sandbox has no ${language}`);
  let kit: Promise<unknown> | undefined;
  const idle: HostWorker[] = [];
  const all = new Set<HostWorker>();
  /** Runs that wait for a worker, first come first served: by a new one or one that has become free, whichever is sooner. */
  const waiting: PromiseWithResolvers<HostWorker>[] = [];
  let starting = 0;
  /** Workers given back that are not fresh yet: sooner there than a new one could start. */
  let returning = 0;
  /** Those of them that were fresh at once the last time: sooner there than a sleeping spare wakes. */
  let returningSoon = 0;
  let closed = false;

  function prepare(): Promise<unknown> {
    if (kit) return kit;
    const preparing = entry!.prepare(memoryBytes);
    kit = preparing;
    // Forgotten, so that the next start tries again.
    preparing.catch(() => {
      kit = undefined;
    });
    return preparing;
  }

  /** Starts a worker for whoever comes first; false where it could not start. */
  async function start(): Promise<boolean> {
    starting++;
    let worker: HostWorker | undefined;
    let failure: unknown;
    try {
      const preparing = prepare();
      worker = startHostWorker(entry!.guest, preparing);
      all.add(worker);
      await preparing;
      if (!(await worker.ready)) throw new Error(`The ${language} sandbox did not start`);
    } catch (error) {
      if (worker) all.delete(worker);
      worker = undefined;
      failure = error;
    }
    starting--;
    // One start fails one run: the others wait for theirs.
    if (worker) await offer(worker);
    else waiting.pop()?.reject(failure);
    startForWaiting();
    return worker !== undefined;
  }

  /** Starts workers for those who wait and will not be served by one under way. */
  function startForWaiting(): void {
    while (!closed && starting < STARTS_AT_ONCE && starting + returning < waiting.length) start().catch(() => {});
  }

  async function offer(worker: HostWorker): Promise<void> {
    const next = waiting.shift();
    if (next) next.resolve(worker);
    else if (closed || idle.length > spares) {
      all.delete(worker);
      await worker.terminate();
    } else idle.push(worker);
  }

  return {
    async take() {
      if (closed) throw new Error('The sandbox is closed');
      const ready = returningSoon > waiting.length ? undefined : idle.pop();
      if (ready) return ready;
      const wait = Promise.withResolvers<HostWorker>();
      waiting.push(wait);
      startForWaiting();
      return wait.promise;
    },
    async give(worker) {
      const soon = worker.resetMs < SOON_MS ? 1 : 0;
      returning++;
      returningSoon += soon;
      const fresh = await worker.ready;
      returning--;
      returningSoon -= soon;
      if (fresh) {
        await offer(worker);
        return;
      }
      all.delete(worker);
      // Somebody may have counted on this one.
      const spare = waiting.length > 0 ? idle.pop() : undefined;
      if (spare) await offer(spare);
      startForWaiting();
    },
    async fill() {
      for (;;) {
        const missing = spares - idle.length - starting - returning + waiting.length;
        const now = Math.min(missing, STARTS_AT_ONCE - starting);
        if (closed || now <= 0) return;
        const started = await Promise.all(Array.from({ length: now }, start));
        if (started.includes(false)) return;
      }
    },
    async close() {
      closed = true;
      for (const wait of waiting.splice(0)) wait.reject(new Error('The sandbox is closed'));
      await Promise.all([...all].map((worker) => worker.terminate()));
      all.clear();
      idle.length = 0;
    },
  };
}
