import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../lib/sandbox/contract.ts';
import { LANGUAGES } from '../../wasm/languages.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { createHost, FUNCTIONS, LIMITS, runProgram } from './support.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());
const run = (code: string, more: { owner?: string } = {}) =>
  runProgram(sandbox, { language: 'javascript', code, ...more });

/** How many workers start while `act` is under way. */
async function countStarts(act: () => Promise<void>): Promise<number> {
  let started = 0;
  const count = () => {
    started++;
  };
  subscribe('worker_threads', count);
  try {
    await act();
    return started;
  } finally {
    unsubscribe('worker_threads', count);
  }
}

describe('the pool', () => {
  it('answers "internal" when a worker crashes, and the next run works', async () => {
    sandbox = createSandbox({ languages: ['javascript'] });
    expect(await run('1')).toMatchObject({ ok: true });
    // Not a text: our own code in the worker throws.
    expect(await run(5 as unknown as string)).toMatchObject({ ok: false, code: 'internal' });
    expect(await run('2')).toMatchObject({ ok: true, value: '2' });
  });

  it('counts the CPU time of a run whose worker is lost', async () => {
    const workers: Worker[] = [];
    const meet = (message: unknown) => {
      workers.push((message as { worker: Worker }).worker);
    };
    subscribe('worker_threads', meet);
    try {
      sandbox = createSandbox({ languages: ['javascript'], upkeep: 'quiet' });
      const lost = createHost();
      const code = 'for (let i = 0; i < 1e6; i++); tools.echo(); for (;;);';
      const call: typeof lost.call = (...args) => {
        setTimeout(() => workers[0]!.terminate(), 50);
        return lost.call(...args);
      };
      const signal = new AbortController().signal;
      const outcome = await sandbox.run({ language: 'javascript', code }, FUNCTIONS, LIMITS, call, signal);
      expect(outcome).toMatchObject({ ok: false, code: 'internal' });
      expect(outcome.cpuMs).toBeGreaterThan(1);
    } finally {
      unsubscribe('worker_threads', meet);
    }
  });

  it('answers "internal" when no worker can start', async () => {
    sandbox = createSandbox({ languages: ['javascript'] });
    const outcome = runProgram(sandbox, { language: 'javascript', code: '1' }, { memoryBytes: 2 ** 45 });
    expect(await outcome).toMatchObject({ ok: false, code: 'internal' });
  });

  it('tries again to prepare an interpreter that could not be', async () => {
    const { prepare } = LANGUAGES.javascript!;
    const javascript = LANGUAGES.javascript as { prepare: typeof prepare };
    javascript.prepare = async () => {
      throw new Error('too many open files');
    };
    try {
      sandbox = createSandbox({ languages: ['javascript'] });
      expect(await run('1')).toMatchObject({ ok: false, code: 'internal' });
    } finally {
      javascript.prepare = prepare;
    }
    expect(await run('1')).toMatchObject({ value: '1' });
  });

  it('answers at once when a run comes while it closes', async () => {
    sandbox = createSandbox({ languages: ['javascript'], upkeep: 'quiet' });
    await runProgram(sandbox, { language: 'javascript', code: 'for (;;);' }, { cpuMs: 20 });
    const closed = sandbox.close();
    expect(await run('1')).toMatchObject({ ok: false, code: 'internal' });
    await closed;
  });

  it('keeps the worker of a run whose client left before it was there', async () => {
    const started = await countStarts(async () => {
      sandbox = createSandbox({ languages: ['javascript'], upkeep: 'quiet' });
      const program = { language: 'javascript', code: '1' } as const;
      const outcome = sandbox.run(program, FUNCTIONS, LIMITS, createHost().call, AbortSignal.timeout(1));
      expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' });
      expect(await run('2')).toMatchObject({ value: '2' });
    });
    expect(started).toBe(1);
  });

  it('serves many short runs at once by few workers', async () => {
    const runs = 16 * availableParallelism();
    const started = await countStarts(async () => {
      sandbox = createSandbox({ languages: ['javascript'], maxRuns: runs });
      const outcomes = await Promise.all(Array.from({ length: runs }, () => run('1')));
      expect(outcomes.map((outcome) => outcome.ok)).not.toContain(false);
    });
    expect(started).toBeLessThan(runs / 2);
  });

  it('lets owners take turns when runs have to queue', async () => {
    sandbox = createSandbox({ languages: ['javascript'], maxRuns: 1 });
    const order: string[] = [];
    const one = async (owner: string) => {
      await run('tools.slow({ ms: 5 })', { owner });
      order.push(owner);
    };
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(one));
    expect(order.slice(0, 4).sort()).toEqual(['a', 'a', 'b', 'c']);
    expect(order.length).toBe(6);
  });

  it('ends a queued run as cancelled when its client goes away, and loses no place', async () => {
    sandbox = createSandbox({ languages: ['javascript'], maxRuns: 1 });
    const first = run('tools.slow({ ms: 100 })');
    const client = new AbortController();
    const queued = sandbox.run(
      { language: 'javascript', code: '1' },
      FUNCTIONS,
      LIMITS,
      createHost().call,
      client.signal,
    );
    client.abort();
    expect(await queued).toMatchObject({ ok: false, code: 'cancelled' });
    expect(await first).toMatchObject({ ok: true });
    expect(await run('3')).toMatchObject({ value: '3' });
  });

  it.each(['quiet', 'background'] as const)(
    'prepares spares behind an answer only where it may: %s',
    async (upkeep) => {
      const started = await countStarts(async () => {
        sandbox = createSandbox({ languages: ['javascript'], upkeep });
        await sandbox.warm(['javascript']);
        expect(await run('1')).toMatchObject({ ok: true });
        const killed = await runProgram(sandbox, { language: 'javascript', code: 'for (;;);' }, { cpuMs: 50 });
        expect(killed).toMatchObject({ code: 'timeout' });
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      expect(started === 1).toBe(upkeep === 'quiet');
      // Where a worker was lost, the next run starts one.
      expect(await run('2')).toMatchObject({ value: '2' });
    },
  );

  it("keeps the CPU clock where the platform cannot read a worker's", async () => {
    const { cpuUsage } = Worker.prototype;
    Object.assign(Worker.prototype, { cpuUsage: undefined });
    try {
      sandbox = createSandbox({ languages: ['javascript'] });
      expect(await runProgram(sandbox, { language: 'javascript', code: 'for (;;);' }, { cpuMs: 80 })).toMatchObject({
        code: 'timeout',
      });
      const waits = 'tools.slow({ ms: 400, value: 1 })';
      expect(await runProgram(sandbox, { language: 'javascript', code: waits }, { cpuMs: 200 })).toMatchObject({
        ok: true,
      });
    } finally {
      Object.assign(Worker.prototype, { cpuUsage });
    }
  });
});
