import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { CodeModeError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { executeCode } from '../../lib/run/execute-code.ts';
import type { Language } from '../../lib/sandbox/contract.ts';
import type { ServerServices } from '../../lib/server/services.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { type StubOptions, stubServices } from '../support/stub-services.ts';

const LANGUAGES = ['javascript', 'lua', 'go'] as const;
const sandbox = createSandbox({ languages: ['javascript', 'typescript', 'lua', 'go'] });
const folders: string[] = [];

afterAll(() => sandbox.close());
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const servers = {
  os: {
    stat: {
      definition: {
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      answer: ({ path }: JsonObject) => ({ content: [], structuredContent: { path, size: 123 } }),
    },
    delete_path: { answer: () => text('gone') },
    fail: { answer: () => ({ ...text('no such thing'), isError: true }) },
    big: { answer: () => text('{"id": 12345678901234567890}') },
    picture: { answer: () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }) },
  },
};

function setup(options: StubOptions & { stored?: boolean } = {}): ServerServices {
  const { stored = true, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  folders.push(folder);
  return stubServices({
    servers,
    exposure: (_server, name) => (name === 'delete_path' ? 'proxy' : 'both'),
    ...rest,
    config: { languages: [...LANGUAGES], ...rest.config },
    overrides: {
      sandbox: async () => sandbox,
      ...(stored && { store: createDirectoryStore(folder) }),
      ...rest.overrides,
    },
  });
}

/** Runs, and reads the answer as a client does. */
async function run(services: ServerServices, args: JsonObject, caller = ANONYMOUS) {
  const result = await executeCode(services, args, { caller, signal: new AbortController().signal });
  const [first, ...blocks] = result.content!;
  const raw = String(first!.text);
  return { raw, ...(JSON.parse(raw) as JsonObject), isError: result.isError ?? false, blocks };
}

/** One script a language: the size of a file plus the parameter. */
const SIZE: Record<(typeof LANGUAGES)[number], string> = {
  javascript: 'function Run(p) { const s = os.stat({path: "/x"}); console.log("hi"); return s.size + p.plus; }',
  lua: 'function Run(p) local s = os.stat({path = "/x"}) console.log("hi") return s.size + p.plus end',
  go: 'package main\nimport (\n"os"\n"console"\n)\nfunc Run(p map[string]any) (any, error) {\n  s, err := os.Stat(map[string]any{"path": "/x"})\n  if err != nil { return nil, err }\n  console.Log("hi")\n  return s.(map[string]any)["size"].(float64) + p["plus"].(float64), nil\n}',
};

describe.each(LANGUAGES)('execute_code in %s', (language) => {
  const code = SIZE[language];
  const params = { plus: 1 };

  it('runs code without a name and keeps nothing', async () => {
    const services = setup();
    expect(await run(services, { language, code, params })).toMatchObject({
      ok: true,
      value: 124,
      logs: ['hi'],
      timedOut: false,
      toolCalls: 1,
      isError: false,
    });
    expect(await services.store!.list('shared')).toEqual([]);
  });

  it('keeps named code after a success, with all that was said of it, and runs it by name', async () => {
    const services = setup();
    const words = { description: 'size of x', instructions: 'give plus' };
    expect(await run(services, { language, code, params, name: 'size', ...words })).toMatchObject({ value: 124 });
    expect(await services.store!.get('shared', 'size')).toMatchObject({ language, code, ...words });
    expect(await run(services, { name: 'size', params: { plus: 10 } })).toMatchObject({ value: 133 });
    expect((await services.store!.get('shared', 'size'))!.runs).toBe(2);
  });

  it('keeps nothing after a failure', async () => {
    const services = setup();
    const broken = {
      javascript: 'function Run() { throw new Error("x") }',
      lua: 'function Run() error("x") end',
      go: 'func Run() any { panic("x") }',
    };
    expect(await run(services, { language, code: broken[language], name: 'bad' })).toMatchObject({
      ok: false,
      errorCode: 'runtime',
    });
    expect(await services.store!.get('shared', 'bad')).toBeUndefined();
  });

  it('describes a record without code as a skill, and keeps the code of one that has it', async () => {
    const services = setup();
    expect(await run(services, { language, name: 'notes', instructions: 'use ISO dates' })).toMatchObject({ ok: true });
    expect(await run(services, { name: 'notes' })).toMatchObject({ errorCode: 'not_runnable', isError: true });
    await run(services, { language, code, params, name: 'size' });
    await run(services, { name: 'size', description: 'better words' });
    expect(await services.store!.get('shared', 'size')).toMatchObject({ code, language, description: 'better words' });
  });

  it('keeps the entry with the code', async () => {
    const services = setup();
    const named = code.replaceAll('Run(', 'Main(');
    await run(services, { language, code: named, params, entry: 'Main', name: 'main' });
    expect(await run(services, { name: 'main', params })).toMatchObject({ value: 124 });
  });

  it('marks a stored script whose function is gone, naming the nearest, and clears the mark after a success', async () => {
    const services = setup();
    await services.store!.save('shared', 'old', { language, code: code.replace(/stat/i, (s) => `${s}x`) }, Date.now());
    expect(await run(services, { name: 'old', params })).toMatchObject({ errorCode: 'function_not_found' });
    expect((await services.store!.get('shared', 'old'))!.invalid).toMatch(/os\.stat/i);
    await run(services, { name: 'old', language, code, params });
    expect((await services.store!.get('shared', 'old'))!.invalid).toBeUndefined();
  });

  it('never marks a script for a missing right', async () => {
    const services = setup();
    const closed = {
      javascript: 'function Run() { return os.delete_path({}) }',
      lua: 'function Run() return os.delete_path({}) end',
      go: 'import "os"\nfunc Run() (any, error) { return os.DeletePath(map[string]any{}) }',
    }[language];
    await services.store!.save('shared', 'closed', { language, code: closed }, Date.now());
    const answer = await run(services, { name: 'closed' });
    expect(answer).toMatchObject({ errorCode: 'forbidden' });
    expect(answer.raw).toMatch(/os\.(delete_path|DeletePath)/);
    expect((await services.store!.get('shared', 'closed'))!.invalid).toBeUndefined();
  });

  it('stops at the budget of tool calls, whether the script catches that or not', async () => {
    const services = setup({ config: { limits: { max_tool_calls: 3 } } });
    const greedy = {
      javascript: 'function Run() { for (;;) { try { os.stat({path: "/"}) } catch {} } }',
      lua: 'function Run() while true do pcall(function() os.stat({path = "/"}) end) end end',
      go: 'import "os"\nfunc Run() any { for { os.Stat(map[string]any{"path": "/"}) } }',
    }[language];
    expect(await run(services, { language, code: greedy })).toMatchObject({
      errorCode: 'tool_calls_exceeded',
      toolCalls: 3,
    });
  });
});

describe('big arguments', () => {
  it('are refused before they are read', async () => {
    const code = 'function Run() { return os.stat({path: "x".repeat(4 * 1024 * 1024)}) }';
    const result = await run(setup(), { code });
    expect(result).toMatchObject({ ok: false, errorCode: 'invalid_arguments', toolCalls: 0 });
    expect(result.raw).toContain('send less in one call');
  });
});

describe('execute_code', () => {
  it.each([
    [{}, 'invalid_arguments'],
    [{ name: 'no spaces please' }, 'invalid_arguments'],
    [{ code: 1 }, 'invalid_arguments'],
    [{ code: '1', language: 'cobol' }, 'invalid_arguments'],
    [{ name: 'unknown' }, 'code_not_found'],
  ])('answers %j with %s', async (args, errorCode) => {
    const answer = await run(setup(), args as JsonObject);
    expect(answer).toMatchObject({ ok: false, errorCode, logs: [], timedOut: false, toolCalls: 0, isError: true });
  });

  it.each(['5', 'text', '[1]', '{"a":'])('refuses params that hold no object: %s', async (text) => {
    const code = 'function Run(params) { return params }';
    for (const params of [text, ...(text === '5' || text === '[1]' ? [JSON.parse(text)] : [])]) {
      const answer = await run(setup(), { code, params });
      expect(answer).toMatchObject({ ok: false, errorCode: 'invalid_arguments' });
      expect(answer.raw).toContain('params must be an object');
    }
  });

  it('takes params written as JSON text, as models send them, and null as none', async () => {
    const code = 'function Run(params) { return params ?? "none" }';
    expect(await run(setup(), { code, params: '{"a":1}' })).toMatchObject({ value: { a: 1 } });
    for (const params of [null, ' ']) {
      expect(await run(setup(), { code, params })).toMatchObject({ value: 'none' });
    }
  });

  it('answers store_disabled for a name where nothing is kept', async () => {
    const services = setup({ stored: false });
    for (const args of [{ name: 'x' }, { name: 'x', code: '1' }, { name: 'x', description: 'y' }]) {
      expect(await run(services, args)).toMatchObject({ errorCode: 'store_disabled' });
    }
  });

  it('takes the language of the stored record, else JavaScript, else the first enabled', async () => {
    const services = setup();
    await services.store!.save('shared', 'lua', { language: 'lua', code: 'return 1' }, Date.now());
    expect(await run(services, { name: 'lua' })).toMatchObject({ value: 1 });
    expect(await run(services, { code: '`${1}`' })).toMatchObject({ value: '1' });
    expect(await run(setup({ config: { languages: ['lua'] } }), { code: 'return 2' })).toMatchObject({ value: 2 });
  });

  it('allows TypeScript with JavaScript, and nothing that is not enabled', async () => {
    const only = (...languages: Language[]) => setup({ config: { languages } });
    const typescript = { language: 'typescript', code: 'function Run(): number { return 3 as number }' };
    expect(await run(only('javascript'), typescript)).toMatchObject({ value: 3 });
    expect(await run(only('lua'), typescript)).toMatchObject({ errorCode: 'language_disabled' });
  });

  it('leaves value out where nothing was returned, and null where null was', async () => {
    expect(await run(setup(), { code: 'function Run() {}' })).not.toHaveProperty('value');
    expect(await run(setup(), { code: 'function Run() { return null }' })).toHaveProperty('value', null);
  });

  it('names line and column of a failure in the code as it was sent', async () => {
    const answer = await run(setup(), { code: 'function Run() {\n  const a = null;\n  return a.here;\n}' });
    expect(answer).toMatchObject({ ok: false, errorCode: 'runtime', line: 3 });
  });

  it('gives a failing tool as an error the script can catch, carrying its text', async () => {
    const code = 'function Run() { try { os.fail({}) } catch (e) { return [e.code, e.message] } }';
    expect(await run(setup(), { code })).toMatchObject({
      value: ['tool_failed', expect.stringContaining('no such thing')],
    });
    expect(await run(setup(), { code: 'os.fail({})' })).toMatchObject({ ok: false, errorCode: 'tool_failed' });
  });

  it('says which argument is wrong before the upstream is asked', async () => {
    const answer = await run(setup(), { code: 'os.stat({pth: "/x"})' });
    expect(answer).toMatchObject({ errorCode: 'invalid_arguments' });
    expect(answer.raw).toContain('`path` (string) is missing: you gave `pth`');
  });

  it('puts a returned image behind the JSON, which names it', async () => {
    const answer = await run(setup(), { code: 'function Run() { return {a: os.picture({})} }' });
    expect(answer).toMatchObject({ value: { a: { type: 'image', mimeType: 'image/png', content: 1 } } });
    expect(answer.blocks).toEqual([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]);
  });

  it('refuses an execution over the user limit, saying when it opens again', async () => {
    const resetsAt = Date.UTC(2030, 0, 1);
    const usage = { consume: async () => ({ limit: 'executions_per_day', allowed: 2, resetsAt }) };
    const answer = await run(setup({ overrides: { usage } }), { code: '1' });
    expect(answer).toMatchObject({ errorCode: 'quota_exceeded' });
    expect(answer.raw).toContain('2030-01-01');
  });

  it('counts what is kept without a run too: words fill a store as code does', async () => {
    const counted: unknown[] = [];
    const usage: ServerServices['usage'] = {
      async consume(userId, kind) {
        counted.push([userId, kind]);
        return counted.length > 1 ? { limit: 'executions_per_day', allowed: 1, resetsAt: 0 } : undefined;
      },
    };
    const services = setup({ overrides: { usage } });
    const ann = { userId: 'ann', admin: false };
    const skill = { description: 'how to', instructions: 'do so' };
    expect(await run(services, { name: 'first', ...skill }, ann)).toMatchObject({ ok: true });
    expect(await run(services, { name: 'second', ...skill }, ann)).toMatchObject({ errorCode: 'quota_exceeded' });
    expect((await services.store!.list('shared')).map(({ name }) => name)).toEqual(['first']);
    expect(counted).toEqual([1, 2].map(() => ['ann', 'execution']));
  });

  it('tells a crash of ours without a word of what it was', async () => {
    const overrides = { sandbox: () => Promise.reject(new Error('secret path')) };
    const answer = await run(setup({ overrides }), { code: '1' });
    expect(answer).toMatchObject({ errorCode: 'internal' });
    expect(answer.raw).not.toContain('secret');
  });

  it('gives the value even if keeping the script failed', async () => {
    const services = setup();
    services.store = { ...services.store!, save: () => Promise.reject(new Error('disk full')) };
    expect(await run(services, { code: '7', name: 'x' })).toMatchObject({ ok: false, value: 7, errorCode: 'internal' });
  });

  it('logs by names alone why a script was not kept', async () => {
    const lines: object[] = [];
    const services = setup({ overrides: { log: (_level, msg, fields) => void lines.push({ msg, ...fields }) } });
    const cause = Object.assign(new Error('of the cause'), { name: 'AccessDenied', code: 'EPIPE' });
    const failure = new CodeModeError('internal', 'of the failure', { cause });
    services.store = { ...services.store!, save: () => Promise.reject(failure) };
    await run(services, { code: '7', name: 'x' });
    const why = { error: 'CodeModeError', code: 'internal', cause: 'AccessDenied EPIPE' };
    expect(lines).toContainEqual({ msg: 'code not saved', name: 'x', ...why });
  });
});

describe('a function that is not there', () => {
  it('is answered first with those whose names share words with it, as a renamed one has', async () => {
    const answer = () => text('');
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'user_create'];
    const os = Object.fromEntries(names.map((name) => [name, { answer }]));
    const { raw } = await run(setup({ servers: { os } }), { code: 'os.create_users({})' });
    expect(raw).toContain('os has os.user_create, os.a, os.b');
  });
});

describe('a server that lists for each user', () => {
  it('marks no script: what one user does not have another one may', async () => {
    const entry = (name: string) => ({ name, transport: 'http', url: 'http://127.0.0.1:1/mcp', catalogue: 'per_user' });
    const services = setup({ config: { upstream: [entry('os')] } });
    for (const code of ['os.gone({})', 'other.gone({})']) {
      await services.store!.save('shared', 'old', { code }, Date.now());
      expect(await run(services, { name: 'old' })).toMatchObject({ errorCode: 'function_not_found' });
      const { invalid } = (await services.store!.get('shared', 'old'))!;
      if (code.startsWith('os')) expect(invalid).toBeUndefined();
      else expect(invalid).toContain('other.gone');
    }
  });
});

describe('execute_code with a store that fails', () => {
  it('gives the value of stored code even if the run could not be counted', async () => {
    const services = setup();
    await services.store!.save('shared', 'one', { code: 'return 1' }, Date.now());
    const broken = () => Promise.reject(new Error('disk full'));
    services.store = { ...services.store!, countRun: broken, markInvalid: broken };
    expect(await run(services, { name: 'one' })).toMatchObject({ ok: true, value: 1 });
    expect(await run(services, { name: 'two', code: '2' })).toMatchObject({ ok: true, value: 2 });
    await services.store.save('shared', 'gone', { code: 'os.gone({})' }, Date.now());
    expect(await run(services, { name: 'gone' })).toMatchObject({ errorCode: 'function_not_found' });
  });

  it('refuses what is too long to keep before it runs', async () => {
    let calls = 0;
    const services = setup({ servers: { os: { stat: { answer: () => text(`${calls++}`) } } } });
    const words = { instructions: 'x'.repeat(64 * 1024 + 1) };
    const answer = await run(services, { name: 'x', code: 'os.stat({})', ...words });
    expect(answer).toMatchObject({ errorCode: 'invalid_arguments', toolCalls: 0 });
    expect(answer.raw).toContain('at most 65536');
    expect(await run(services, { code: 'os.stat({})', ...words })).toMatchObject({ ok: true });
    expect(calls).toBe(1);
  });

  it('takes blank code for none: it would wipe out the stored code', async () => {
    const services = setup();
    await services.store!.save('shared', 'one', { code: 'return 1' }, Date.now());
    expect(await run(services, { name: 'one', code: ' \n' })).toMatchObject({ value: 1 });
    expect(await services.store!.get('shared', 'one')).toMatchObject({ code: 'return 1' });
  });
});

describe('a script that calls functions that do not exist', () => {
  it('may catch that some times, and is then ended', async () => {
    const few = 'for (let i = 0; i < 20; i++) try { os["none" + i]() } catch (e) {} return 1';
    expect(await run(setup(), { code: few })).toMatchObject({ ok: true, value: 1 });
    const many = 'for (let i = 0; ; i++) try { os["none" + i]() } catch (e) {}';
    expect(await run(setup(), { code: many })).toMatchObject({ ok: false, errorCode: 'function_not_found' });
  });

  it('is shown a name of a million letters cut short', async () => {
    const answer = await run(setup(), { code: 'os["n".repeat(1e6)]()' });
    expect(answer).toMatchObject({ ok: false, errorCode: 'function_not_found' });
    expect(answer.raw.length).toBeLessThan(2000);
  });
});

describe('code.run', () => {
  it('draws on the CPU time of the script that asks, which ends with it', async () => {
    const lines: Record<string, unknown>[] = [];
    const log: ServerServices['log'] = (_level, msg, fields) => void lines.push({ msg, ...fields });
    const services = setup({ config: { limits: { max_cpu_time_ms: 400 } }, overrides: { log } });
    const spin = 'function Run(n) { for (let i = 0; n < 0 || i < n; i++); return n }';
    await save(services, 'spin', spin);
    await save(services, 'between', 'function Run(n) { try { code.run("spin", n) } catch {} return "went on" }');
    const code = 'function Run() { try { code.run("between", -1) } catch {} return "went on" }';
    expect(await run(services, { code })).toMatchObject({ errorCode: 'timeout', timedOut: true });

    // Each by itself is far below the limit.
    const many = 'function Run() { for (let k = 0; k < 5000; k++) code.run("spin", 200000) }';
    expect(await run(services, { code: many })).toMatchObject({ errorCode: 'timeout' });
    const { cpuMs, toolCalls } = lines.filter(({ msg }) => msg === 'execute code').at(-1)!;
    expect(cpuMs).toBeGreaterThan(350);
    expect(cpuMs).toBeLessThan(1200);
    expect(toolCalls).toBeLessThan(1000);
  }, 60_000);

  const save = (services: ServerServices, name: string, code: string, language: Language = 'javascript') =>
    services.store!.save('shared', name, { language, code }, Date.now());

  it.each([
    ['javascript', 'function Run() { return code.run("double", {n: 4}) }'],
    ['lua', 'function Run() return code.run("double", {n = 4}) end'],
    ['go', 'import "code"\nfunc Run() (any, error) { return code.Run("double", map[string]any{"n": 4}) }'],
  ] as const)('runs a stored script from %s with its parameters', async (language, code) => {
    const services = setup();
    await save(services, 'double', 'function Run(p) { console.log("inner"); return p.n * 2 }');
    expect(await run(services, { language, code })).toMatchObject({ value: 8, logs: ['[double] inner'], toolCalls: 1 });
    expect((await services.store!.get('shared', 'double'))!.runs).toBe(1);
  });

  it('refuses a circle', async () => {
    const services = setup();
    await save(services, 'a', 'function Run() { return code.run("b") }');
    await save(services, 'b', 'function Run() { return code.run("a") }');
    const answer = await run(services, { name: 'a' });
    expect(answer).toMatchObject({ ok: false, errorCode: 'invalid_arguments' });
    expect(answer.raw).toContain('a → b');
  });

  it('refuses to go deeper than 8 scripts', async () => {
    const services = setup();
    for (let i = 0; i < 12; i++) await save(services, `s${i}`, `function Run() { return code.run("s${i + 1}") }`);
    const answer = await run(services, { name: 's0' });
    expect(answer.raw).toContain('8 deep');
  });

  it('shares one budget of tool calls', async () => {
    const services = setup({ config: { limits: { max_tool_calls: 4 } } });
    await save(services, 'two', 'function Run() { os.stat({path: "/"}); os.stat({path: "/"}); return 1 }');
    const code = 'function Run() { code.run("two"); return code.run("two") }';
    expect(await run(services, { code })).toMatchObject({ errorCode: 'tool_calls_exceeded', toolCalls: 4 });
  });

  it('bounds the log lines of all the scripts together', async () => {
    const services = setup({ config: { limits: { max_log_bytes: 2000 } } });
    await save(services, 'talk', 'function Run() { console.log("x".repeat(700)) }');
    const answer = await run(services, { code: 'function Run() { for (let i = 0; i < 20; i++) code.run("talk") }' });
    expect(answer).toMatchObject({ ok: true, toolCalls: 20 });
    const { logs } = JSON.parse(answer.raw) as { logs: string[] };
    expect(logs).toHaveLength(3);
    expect(logs.at(-1)).toContain('left out');
  });

  it('runs one stored script at a time where a script asks for many at once', async () => {
    let atOnce = 0;
    let most = 0;
    const overrides: StubOptions['overrides'] = {
      sandbox: async () => ({
        ...sandbox,
        async run(...args) {
          most = Math.max(most, ++atOnce);
          return sandbox.run(...args).finally(() => atOnce--);
        },
      }),
    };
    const services = setup({ overrides });
    await save(services, 'one', 'function Run(p) { return os.stat({path: "/"}).size + p }');
    const code = 'async function Run() { return Promise.all([1, 2, 3, 4, 5].map((n) => code.run("one", n))) }';
    expect(await run(services, { code })).toMatchObject({ value: [124, 125, 126, 127, 128] });
    expect(most).toBe(2);
  });

  it('of a name that is not kept, like a run by that name, names the nearest script of the same scope', async () => {
    const services = setup({ config: { store: { scope: 'user' } } });
    const ada = { userId: 'ada', admin: false };
    const bob = { userId: 'bob', admin: false };
    await run(services, { name: 'statistics', code: '1' }, ada);
    await run(services, { name: 'stats', description: 'a skill does not run' }, ada);
    const error = 'no code is stored as "stat": did you mean "statistics"? list_code shows what is';
    expect(await run(services, { name: 'stat' }, ada)).toMatchObject({ error, errorCode: 'code_not_found' });
    expect(await run(services, { code: 'code.run("stat")' }, ada)).toMatchObject({
      error: expect.stringContaining(error),
      errorCode: 'code_not_found',
    });
    for (const [name, caller] of [
      ['weather', ada],
      ['stat', bob],
    ] as const) {
      expect(await run(services, { name }, caller)).toMatchObject({
        error: `no code is stored as "${name}": list_code shows what is`,
      });
    }
  });

  it('does not exist where nothing is kept', async () => {
    expect(await run(setup({ stored: false }), { code: 'code.run("x")' })).toMatchObject({
      errorCode: 'function_not_found',
    });
  });

  it('cannot starve itself of places to run in', async () => {
    const crowded = createSandbox({ languages: ['javascript'], maxRuns: 1 });
    const services = setup({ overrides: { sandbox: async () => crowded } });
    await save(services, 'one', 'function Run() { return 1 }');
    expect(await run(services, { code: 'code.run("one")' })).toMatchObject({ value: 1 });
    await crowded.close();
  });
});

describe('a scope', () => {
  it("is each user's own where the store says so, and shared by those without an identity", async () => {
    const services = setup({ config: { store: { scope: 'user' } } });
    const ada = { userId: 'ada', admin: false };
    await run(services, { code: '1', name: 'mine' }, ada);
    expect(await run(services, { name: 'mine' }, ada)).toMatchObject({ value: 1 });
    expect(await run(services, { name: 'mine' }, { userId: 'bob', admin: false })).toMatchObject({
      errorCode: 'code_not_found',
    });
    expect(await run(services, { name: 'mine' })).toMatchObject({ errorCode: 'code_not_found' });
    expect((await services.store!.get('user:ada', 'mine'))!.savedBy).toBe('ada');
  });
});
