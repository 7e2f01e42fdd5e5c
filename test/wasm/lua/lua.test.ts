import { afterAll, describe, expect, it } from 'vitest';
import type { Program } from '../../../lib/sandbox/contract.ts';
import { createSandbox } from '../../../wasm/sandbox.ts';
import { runProgram } from '../support.ts';

const sandbox = createSandbox({ languages: ['lua'] });
afterAll(() => sandbox.close());
const run = (code: string, rest: Partial<Program> = {}) => runProgram(sandbox, { language: 'lua', code, ...rest });
const value = async (code: string, rest: Partial<Program> = {}) => {
  const outcome = await run(code, rest);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value === undefined ? undefined : (JSON.parse(outcome.value) as unknown);
};

describe('a Lua script', () => {
  it('has its entry called with params, after its top level ran once', async () => {
    const code = 'local n = 0\nn = n + 1\nfunction Run(p) return {n = n, x = p.x} end';
    expect(await value(code, { params: '{"x":5}' })).toEqual({ n: 1, x: 5 });
    expect(await value('function go(p) return p.x end', { entry: 'go', params: '{"x":5}' })).toBe(5);
  });

  it('gives an empty table where there are no params', async () => {
    expect(await value('function Run(p) return p.x == nil end')).toBe(true);
  });

  it('may have a local entry, a module with one, or a function returned', async () => {
    expect(await value('local function Run() return 1 end')).toBe(1);
    expect(await value('local Run = function() return 1 end')).toBe(1);
    expect(await value('local M = {}\nfunction M.Run() return 2 end\nreturn M')).toBe(2);
    expect(await value('return function(p) return p.x end', { params: '{"x":3}' })).toBe(3);
  });

  it('is not run twice where it calls its own entry last', async () => {
    const code = 'calls = (calls or 0)\nfunction Run() calls = calls + 1 return calls end\n';
    for (const last of ['Run()', 'return Run()', 'Run(params);', 'return Run({})']) {
      expect(await value(code + last)).toBe(1);
    }
  });

  it('without an entry gives its return or its last expression', async () => {
    expect(await value('return 1 + 1')).toBe(2);
    expect(await value('1 + 1')).toBe(2);
    expect(await value('local a = 2\na * 3 -- six')).toBe(6);
    expect(await value('tools.echo{a = 1}')).toEqual({ a: 1 });
    expect(await value('local t = {}\nfor i = 1, 3 do\n  t[i] = tools.add{a = i, b = 1}\nend\nt')).toEqual([2, 3, 4]);
    expect(await value('print("x")')).toBeUndefined();
    expect(await value('return null')).toBeNull();
    expect(await value('return')).toBeUndefined();
  });

  it('that defines another function than the entry hears which', async () => {
    const outcome = await run('function main() end\nlocal function helper() end\nt = function() end');
    expect(outcome).toMatchObject({ ok: false, code: 'entry_not_found' });
    expect(outcome.ok || outcome.message).toContain('main, helper, t');
    expect(await run('function Run() end', { entry: 'other' })).toMatchObject({ code: 'entry_not_found' });
    expect(await run('local x = 1')).toMatchObject({ code: 'entry_not_found' });
  });

  it('may await its calls, which means nothing', async () => {
    expect(await value('local v = await tools.add{a = 1, b = 2}\nreturn v')).toBe(3);
    expect(await value('async function Run()\n  return await tools.add{a = 1, b = 2}\nend')).toBe(3);
    expect(await value('local await = 5\nreturn await')).toBe(5);
  });

  it('fails when it returns nil and a message', async () => {
    expect(await run('return nil, "no such user"')).toMatchObject({ code: 'runtime', message: 'no such user' });
    expect(await run('local ok, e = pcall(tools.fail, {}) return nil, e')).toMatchObject({ code: 'tool_failed' });
  });

  it('prints in order, tables as JSON, io.write until its line ends', async () => {
    const { logs } = await run(
      'print("a", 1, 1.0, nil, true)\nconsole.log("b", {1, {x = 2}}, {})\nconsole.error("c")\nio.write("d", 1)\nio.write("\\n")\nio.write("e")',
    );
    expect(logs).toEqual(['a\t1\t1.0\tnil\ttrue', 'b [1,{"x":2}] {}', 'c', 'd1', 'e']);
  });

  it('may come in a markdown fence, its lines counted from the top of the text', async () => {
    expect(await value('```lua\nreturn 1\n```')).toBe(1);
    expect(await run('```lua\nlocal x\nx.y = 1\n```')).toMatchObject({ code: 'runtime', line: 3, column: 1 });
  });

  it('gets fresh globals and randomness each run', async () => {
    await run('left = 1\nstring.rep = nil\ngetmetatable("").__index = nil\nprint = nil\nmath.randomseed(1)');
    expect(await value('return {left == nil, ("x"):rep(2)}')).toEqual([true, 'xx']);
    const seen = new Set<unknown>();
    for (let i = 0; i < 12; i++) seen.add(await value('return math.random(1, 1 << 50)'));
    expect(seen.size).toBe(12);
  });

  it('gets another hash seed after a few runs, so that none can be learnt for long', async () => {
    const orders = new Set<unknown>();
    for (let i = 0; i < 400; i++) {
      orders.add(
        await value('local s = "" for k in pairs{a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1} do s = s .. k end return s'),
      );
    }
    // Two workers serve these runs; each begins with a seed of its own.
    expect(orders.size).toBeGreaterThan(3);
  });

  it('has a true clock in UTC', async () => {
    const now = (await value('return os.time()')) as number;
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(5);
    expect(await value('return os.date("!%Y-%m-%dT%H:%M:%S %a %j %p %y", 951782400)')).toBe(
      '2000-02-29T00:00:00 Tue 060 AM 00',
    );
    expect(await value('return os.time{year = 2000, month = 2, day = 30, hour = 0}')).toBe(951868800);
    expect(await value('return os.date("*t", 0).year')).toBe(1970);
  });
});

describe('a host function in Lua', () => {
  it('gives its value, called with a dot, a colon, or no argument', async () => {
    expect(await value('return tools.add{a = 1, b = 2}')).toBe(3);
    expect(await value('return tools:add({a = 1, b = 2})')).toBe(3);
    expect(await value('return tools.echo()')).toEqual({});
    expect(await value('local f = tools.add\nreturn f{a = 1, b = 2}')).toBe(3);
  });

  it('shares its namespace with the library of that name', async () => {
    expect(await value('return {os.read_file{path = "/a.txt"}, os.time() > 0}')).toEqual(['alpha', true]);
  });

  it('raises an error that reads as a table and as a text', async () => {
    const code = `local ok, e = pcall(tools.fail, {message = "it broke"})
      return {ok, e.code, e.tool, e.message, tostring(e), "x: " .. e, e:find("broke"), #e}`;
    expect(await value(code)).toEqual([
      false,
      'tool_failed',
      'tools.fail',
      'it broke',
      'it broke',
      'x: it broke',
      4,
      8,
    ]);
  });

  it('ends an uncaught run with the code of the call, at its place', async () => {
    for (const code of ['\n  tools.fail{}', '\n  return tools.fail{}', '\n  local f = tools.fail{}\nreturn f']) {
      expect(await run(code)).toMatchObject({ code: 'tool_failed', line: 2 });
    }
    expect(await run('function Run()\n  local x = tools.forbidden()\nend')).toMatchObject({
      code: 'forbidden',
      line: 2,
      column: 13,
    });
    expect(await run('local ok, e = pcall(tools.fail) error(e)')).toMatchObject({ code: 'tool_failed' });
    expect(await run('parallel(function()\n tools.fail() end)')).toMatchObject({ code: 'tool_failed', line: 2 });
  });

  it('cannot have its code forged', async () => {
    expect(await run('error({code = "quota_exceeded", message = "m"})')).toMatchObject({ code: 'runtime' });
    expect(await run('local _, e = pcall(tools.fail) e.code = "forbidden" error(e)')).toMatchObject({
      code: 'tool_failed',
    });
  });

  it('that does not exist is asked for at the host', async () => {
    expect(await run('tools.nope()')).toMatchObject({ code: 'function_not_found', line: 1, column: 1 });
    expect(await run('nowhere.at_all()')).toMatchObject({ code: 'function_not_found' });
    expect((await run('nowhere.at_all()')) as { message: string }).toMatchObject({
      message: expect.stringContaining('nowhere.at_all'),
    });
    expect(await run('mine = nil\nmine.x()')).toMatchObject({ code: 'runtime' });
  });

  it('can be listed', async () => {
    expect(await value('local n = 0 for _ in pairs(tools) do n = n + 1 end return n')).toBe(7);
  });
});

describe('parallel in Lua', () => {
  it('overlaps calls and gives results in order', async () => {
    const call = (ms: number) => `function() return tools.slow{ms = ${ms}, value = ${ms}} end`;
    let now = 0;
    let most = 0;
    const outcome = await sandbox.run(
      { language: 'lua', code: `return {parallel(${call(30)}, ${call(1)}, ${call(10)})}` },
      [{ namespace: 'tools', snake: 'slow', camel: 'Slow' }],
      (await import('../support.ts')).LIMITS,
      async ({ args }) => {
        most = Math.max(most, ++now);
        const { ms } = JSON.parse(args) as { ms: number };
        await new Promise((resolve) => setTimeout(resolve, ms));
        now--;
        return { ok: true, value: String(ms) };
      },
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ ok: true, value: '[30,1,10]' });
    expect(most).toBe(3);
  });

  it('takes a list too, null standing for no result', async () => {
    expect(await value('return parallel{function() return 1 end, function() end, function() return 3 end}')).toEqual([
      1,
      null,
      3,
    ]);
    expect(await value('return parallel{}')).toEqual([]);
  });

  it('raises the first error in order, after all have ended', async () => {
    const code = `local done = 0
      local ok, e = pcall(parallel,
        function() tools.slow{ms = 20} error("first", 0) end,
        function() error("second", 0) end,
        function() tools.slow{ms = 30} done = done + 1 end)
      return {ok, e, done}`;
    expect(await value(code)).toEqual([false, 'first', 1]);
  });

  it('may be nested, and mixed with coroutines of the script', async () => {
    const code = `
      local function get(v) return function() return tools.slow{ms = 5, value = v} end end
      local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(tools.echo{i = i}.i) end end)
      local a, b, c = parallel(
        function() local x, y = parallel(get(1), get(2)) return x + y end,
        function() local s = 0 for i = 1, 3 do s = s + gen() end return s end,
        function() coroutine.yield() table.sort({3, 1, 2}, function(p, q) tools.echo() return p < q end) return 9 end)
      return {a, b, c}`;
    expect(await value(code)).toEqual([3, 6, 9]);
  });

  it('says what is no function', async () => {
    const outcome = await run('parallel(tools.add{a = 1, b = 1})');
    expect(outcome).toMatchObject({ code: 'runtime', line: 1 });
    expect(outcome.ok || outcome.message).toContain('parallel(function() return … end, function() return … end)');
  });
});
