import { afterAll, describe, expect, it } from 'vitest';
import type { CpuMeter, HostCall, Limits, Outcome } from '../../lib/sandbox/contract.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { until } from '../support/until.ts';
import { createHost, FUNCTIONS, LIMITS, runProgram } from './support.ts';

const sandbox = createSandbox({ languages: ['javascript'] });
afterAll(() => sandbox.close());
const run = (code: string, limits = {}) => runProgram(sandbox, { language: 'javascript', code }, limits);

describe('the sandbox', () => {
  it('gives the value back as JSON text', async () => {
    expect(await run('function Run() { return { a: [1, "x", null] } }')).toMatchObject({
      ok: true,
      value: '{"a":[1,"x",null]}',
    });
  });

  it('refuses a language that is not enabled', async () => {
    const outcome = await runProgram(sandbox, { language: 'lua', code: 'return 1' });
    expect(outcome).toMatchObject({ ok: false, code: 'language_disabled' });
  });

  it('ends an endless loop by its CPU time and keeps what was printed', async () => {
    const outcome = await run('console.log("before"); while (true) {}', { cpuMs: 100 });
    expect(outcome).toMatchObject({ ok: false, code: 'timeout', logs: ['before'] });
  });

  it('does not count time spent waiting for calls', async () => {
    expect(await run('return tools.slow({ ms: 400, value: 7 })', { cpuMs: 150 })).toMatchObject({
      ok: true,
      value: '7',
    });
  });

  it('tells the CPU time of a run that a call ends, of one that its client leaves, and of one that its deadline ends', async () => {
    const spend = 'for (let i = 0; i < 1e6; i++);';
    const spent = async (call: HostCall, limits: Partial<Limits> = {}, signal = new AbortController().signal) => {
      const program = { language: 'javascript', code: `${spend} tools.never()` } as const;
      return (await sandbox.run(program, FUNCTIONS, { ...LIMITS, ...limits }, call, signal)).cpuMs;
    };
    const fatal = { ok: false, code: 'quota_exceeded', message: 'used up', tool: 'tools.never', fatal: true } as const;
    expect(await spent(async () => fatal)).toBeGreaterThan(1);
    const client = new AbortController();
    const leaving: HostCall = async (call, signal) => {
      client.abort();
      return createHost().call(call, signal);
    };
    expect(await spent(leaving, {}, client.signal)).toBeGreaterThan(1);
    expect(await spent(createHost().call, { wallMs: 2000 })).toBeGreaterThan(1);
  });

  it('reads a long script without semicolons in a small part of its CPU time', async () => {
    const code = Array.from({ length: 6000 }, (_, at) => `const name${at} = ${at} // ${'-'.repeat(200)}`).join('\n');
    expect(await runProgram(sandbox, { language: 'javascript', code: `${code}\nname1` })).toMatchObject({ value: '1' });
  });

  it.each([
    ['javascript', 'a call', `const data = "${'A'.repeat(100_000)}"; data.nope()`, 'nope is not a function'],
    ['javascript', 'a name', `const data = "${'_'.repeat(100_000)}"; nope()`, "'nope' is not defined"],
    ['typescript', 'a return', `const data: string = "${'A'.repeat(100_000)}"; return data`, 'into shorter lines'],
    ['lua', 'a name', `local data = "${'_'.repeat(100_000)}" return nope.x.y`, 'nope'],
  ] as const)('explains a fault in a line of 100,000 characters: %s, %s', async (language, _, code, message) => {
    const own = createSandbox({ languages: [language] });
    const outcome = await runProgram(own, { language, code });
    await own.close();
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });

  it('counts runs of one meter as one', async () => {
    const signal = new AbortController().signal;
    const endless = { language: 'javascript', code: 'for (;;);', nested: true } as const;
    const cpuMeter: CpuMeter = { endedMs: 950, running: new Set() };
    const late = await runProgram(sandbox, endless, { cpuMeter });
    expect(late).toMatchObject({ code: 'timeout', message: expect.stringContaining('the script and those it runs') });
    expect(late.cpuMs).toBeLessThan(700);
    expect(cpuMeter.endedMs).toBe(950 + late.cpuMs);

    // One that spins while another does, which it asked for.
    const both: CpuMeter = { endedMs: 0, running: new Set() };
    const limits = { ...LIMITS, cpuMeter: both };
    let inner: Promise<Outcome> | undefined;
    const call: HostCall = async () => {
      inner = runProgram(sandbox, endless, { cpuMeter: both });
      return { ok: true, value: JSON.stringify((await inner).ok) };
    };
    const outer = { language: 'javascript', code: 'async function Run() { tools.echo(); for (;;); }' } as const;
    const outcome = await sandbox.run(outer, FUNCTIONS, limits, call, signal);
    expect([outcome, await inner]).toMatchObject([{ code: 'timeout' }, { code: 'timeout' }]);
    expect(both.running.size).toBe(0);
    expect(both.endedMs).toBeLessThan(1.7 * LIMITS.cpuMs);
  });

  it('ends a run at its wall deadline, and aborts what it waits for', async () => {
    const host = createHost();
    const signal = new AbortController().signal;
    const program = { language: 'javascript', code: 'tools.never()' } as const;
    const outcome = await sandbox.run(program, FUNCTIONS, { ...LIMITS, wallMs: 500 }, host.call, signal);
    expect(outcome).toMatchObject({ ok: false, code: 'timeout' });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(host.aborted()).toBe(1);
  });

  it('goes on after runs whose clients left just as they ended', async () => {
    for (let ms = 0; ms < 20; ms++) {
      const signal = AbortSignal.timeout(ms % 5);
      const program = { language: 'javascript', code: 'for (let i = 0; i < 2e4; i++);' } as const;
      const outcome = await sandbox.run(program, FUNCTIONS, LIMITS, createHost().call, signal);
      if (!outcome.ok) expect(outcome.code).toBe('cancelled');
    }
    expect(await run('1 + 1')).toMatchObject({ value: '2' });
  });

  it('ends as cancelled when its client goes away', async () => {
    const client = new AbortController();
    const outcome = sandbox.run(
      { language: 'javascript', code: 'console.log("here"); tools.never()' },
      FUNCTIONS,
      LIMITS,
      async (call, signal) => {
        client.abort();
        return createHost().call(call, signal);
      },
      client.signal,
    );
    expect(await outcome).toMatchObject({ ok: false, code: 'cancelled', logs: ['here'] });
  });

  it('ends as cancelled when its client had gone before it began', async () => {
    const outcome = sandbox.run(
      { language: 'javascript', code: '1' },
      FUNCTIONS,
      LIMITS,
      createHost().call,
      AbortSignal.abort(),
    );
    expect(await outcome).toMatchObject({ ok: false, code: 'cancelled' });
  });

  it('caps memory, value and log', async () => {
    expect(await run('const a = []; while (true) a.push(new Array(1000).fill(a.length))')).toMatchObject({
      code: 'memory',
    });
    expect(await run('return "x".repeat(2000)', { maxResultBytes: 1000 })).toMatchObject({ code: 'output_too_large' });
    const { logs } = await run('for (let i = 0; i < 1000; i++) console.log("0123456789")', { maxLogBytes: 100 });
    expect(logs.join('\n').length).toBeLessThan(200);
    expect(logs[0]).toBe('0123456789');
    expect(logs.at(-1)).toContain('cut');
  });

  it('keeps logs over the size a worker starts with', async () => {
    const { logs } = await run('console.log("x".repeat(200000))', { maxLogBytes: 300_000 });
    expect(logs).toEqual(['x'.repeat(200_000)]);
    expect((await run('console.log("y".repeat(90000))')).logs.join('').length).toBeLessThan(70_000);
  });

  it('cuts the message of an error that fills the memory', async () => {
    const all = createSandbox({ languages: ['javascript', 'lua', 'go'] });
    for (const [language, code] of [
      ['javascript', 'throw new Error("x".repeat(5e6))'],
      ['lua', 'error(string.rep("x", 5000000))'],
      ['javascript', 'tools.fail({ message: "x".repeat(5e6) })'],
      ['go', 'import "strings"\nfunc Run() any { panic(strings.Repeat("x", 500000)) }'],
    ] as const) {
      const outcome = await runProgram(all, { language, code });
      expect(outcome.ok).toBe(false);
      expect(outcome.ok ? '' : outcome.message).toMatch(/x{1000}/);
      expect(outcome.ok ? '' : outcome.message.length).toBeLessThan(20_000);
    }
    await all.close();
  });

  it('lets one owner have half of its places, however many of their runs wait', async () => {
    const small = createSandbox({ languages: ['javascript'], maxRuns: 4 });
    const program = (owner: string, code: string) => ({ language: 'javascript' as const, code, owner });
    const gone = new AbortController();
    const host = createHost();
    const hogs = Array.from({ length: 8 }, () =>
      small.run(program('hog', 'tools.never()'), FUNCTIONS, LIMITS, host.call, gone.signal),
    );
    expect(await runProgram(small, program('other', '1'))).toMatchObject({ ok: true, value: '1' });
    await until(() => host.calls.length === 2);
    expect(await runProgram(small, program('third', '2'))).toMatchObject({ ok: true, value: '2' });
    expect(host.calls).toHaveLength(2);
    gone.abort();
    for (const outcome of await Promise.all(hogs)) expect(outcome).toMatchObject({ ok: false, code: 'cancelled' });
    // Every place has come back.
    const again = Array.from({ length: 6 }, (_, at) => runProgram(small, program('hog', `${at}`)));
    expect(await Promise.all(again)).toHaveLength(6);
    await small.close();
  });

  it('runs at most maxParallelCalls calls at once', async () => {
    let now = 0;
    let most = 0;
    const code =
      'async function Run() { return (await Promise.all(Array.from({ length: 20 }, () => tools.slow()))).length }';
    const outcome = await sandbox.run(
      { language: 'javascript', code },
      FUNCTIONS,
      { ...LIMITS, maxParallelCalls: 3 },
      async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now--;
        return { ok: true, value: '1' };
      },
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ ok: true, value: '20' });
    expect(most).toBe(3);
  });

  it('ends the run at a fatal answer, which no script can catch', async () => {
    const outcome = await run('while (true) { try { tools.echo() } catch {} }', { cpuMs: 10_000 });
    expect(outcome).toMatchObject({ ok: false, code: 'tool_calls_exceeded' });
  });

  it('shows nothing of one run to the next', async () => {
    await run('globalThis.left = 1; Array.prototype.left = 1; JSON.parse = null; Math.random = () => 4; 1');
    expect(await run('[typeof left, [].left === undefined, typeof JSON.parse, Math.random() < 1]')).toMatchObject({
      value: '["undefined",true,"function",true]',
    });
  });

  it('gives every run its own randomness', async () => {
    const values = new Set<string>();
    for (let at = 0; at < 20; at++) values.add(String(((await run('Math.random()')) as { value: string }).value));
    expect(values.size).toBe(20);
  });

  it('serves many runs at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, at) => run(`tools.add({ a: ${at}, b: 1 })`)));
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual(
      Array.from({ length: 12 }, (_, at) => String(at + 1)),
    );
  });
});
