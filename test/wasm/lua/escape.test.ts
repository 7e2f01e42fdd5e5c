import { describe, expect, it, vi } from 'vitest';
import { openGuest } from './support.ts';

const run = await openGuest();

/** Follows every table and metatable from everywhere a script can begin, without calling anything. */
const WALK = `
local seen, found = {}, {}
local function walk(value, path, root)
  local kind = type(value)
  if kind == 'table' then
    if seen[value] then return end
    seen[value] = true
    local keys, members = {}, {}
    for key, member in next, value do keys[#keys + 1] = tostring(key) members[tostring(key)] = member end
    table.sort(keys)
    for _, key in ipairs(keys) do walk(members[key], path .. '.' .. key) end
  else
    found[#found + 1] = path .. ' ' .. kind
  end
  local meta = (root or kind == 'table') and getmetatable(value)
  if type(meta) == 'table' then walk(meta, path .. '<meta>') end
end
local lists = tools.echo{items = array{}}
local _, failure = pcall(tools.fail)
walk(_G, '_G')
walk('', 'text', true) walk(1, 'number', true) walk(nil, 'nil', true) walk(true, 'boolean', true)
walk(null, 'null', true) walk(print, 'function', true) walk(coroutine.running(), 'thread', true)
walk(lists, 'value') walk(failure, 'failure')
table.sort(found)
return found`;

describe('a Lua guest', () => {
  it('can reach nothing but this', () => {
    const result = run(WALK);
    if (!result.ok) throw new Error(result.message);
    expect(JSON.parse(result.value!)).toMatchInlineSnapshot(`
      [
        "_G._VERSION string",
        "_G.array function",
        "_G.assert function",
        "_G.collectgarbage function",
        "_G.console.debug function",
        "_G.console.error function",
        "_G.console.info function",
        "_G.console.log function",
        "_G.console.warn function",
        "_G.coroutine.close function",
        "_G.coroutine.create function",
        "_G.coroutine.isyieldable function",
        "_G.coroutine.resume function",
        "_G.coroutine.running function",
        "_G.coroutine.status function",
        "_G.coroutine.wrap function",
        "_G.coroutine.yield function",
        "_G.debug.traceback function",
        "_G.dofile function",
        "_G.error function",
        "_G.getmetatable function",
        "_G.io.stderr.close function",
        "_G.io.stderr.flush function",
        "_G.io.stderr.setvbuf function",
        "_G.io.stderr.write function",
        "_G.io.write function",
        "_G.ipairs function",
        "_G.json.decode function",
        "_G.json.encode function",
        "_G.load function",
        "_G.loadfile function",
        "_G.loadstring function",
        "_G.math.abs function",
        "_G.math.acos function",
        "_G.math.asin function",
        "_G.math.atan function",
        "_G.math.ceil function",
        "_G.math.cos function",
        "_G.math.deg function",
        "_G.math.exp function",
        "_G.math.floor function",
        "_G.math.fmod function",
        "_G.math.huge number",
        "_G.math.log function",
        "_G.math.max function",
        "_G.math.maxinteger number",
        "_G.math.min function",
        "_G.math.mininteger number",
        "_G.math.modf function",
        "_G.math.pi number",
        "_G.math.rad function",
        "_G.math.random function",
        "_G.math.randomseed function",
        "_G.math.sin function",
        "_G.math.sqrt function",
        "_G.math.tan function",
        "_G.math.tointeger function",
        "_G.math.type function",
        "_G.math.ult function",
        "_G.next function",
        "_G.null userdata",
        "_G.os.clock function",
        "_G.os.date function",
        "_G.os.difftime function",
        "_G.os.execute function",
        "_G.os.exit function",
        "_G.os.getenv function",
        "_G.os.remove function",
        "_G.os.rename function",
        "_G.os.setlocale function",
        "_G.os.time function",
        "_G.os.tmpname function",
        "_G.pairs function",
        "_G.parallel function",
        "_G.pcall function",
        "_G.print function",
        "_G.rawequal function",
        "_G.rawget function",
        "_G.rawlen function",
        "_G.rawset function",
        "_G.require function",
        "_G.select function",
        "_G.setmetatable function",
        "_G.string.byte function",
        "_G.string.char function",
        "_G.string.dump function",
        "_G.string.find function",
        "_G.string.format function",
        "_G.string.gmatch function",
        "_G.string.gsub function",
        "_G.string.len function",
        "_G.string.lower function",
        "_G.string.match function",
        "_G.string.pack function",
        "_G.string.packsize function",
        "_G.string.rep function",
        "_G.string.reverse function",
        "_G.string.sub function",
        "_G.string.unpack function",
        "_G.string.upper function",
        "_G.table.concat function",
        "_G.table.insert function",
        "_G.table.move function",
        "_G.table.pack function",
        "_G.table.remove function",
        "_G.table.sort function",
        "_G.table.unpack function",
        "_G.tonumber function",
        "_G.tools.echo function",
        "_G.tools.fail function",
        "_G.tostring function",
        "_G.type function",
        "_G.utf8.char function",
        "_G.utf8.charpattern string",
        "_G.utf8.codepoint function",
        "_G.utf8.codes function",
        "_G.utf8.len function",
        "_G.utf8.offset function",
        "_G.warn function",
        "_G.xpcall function",
        "boolean boolean",
        "failure.code string",
        "failure.line number",
        "failure.message string",
        "failure.tool string",
        "function function",
        "nil nil",
        "null userdata",
        "number number",
        "text string",
        "text<meta>.__add function",
        "text<meta>.__div function",
        "text<meta>.__idiv function",
        "text<meta>.__mod function",
        "text<meta>.__mul function",
        "text<meta>.__pow function",
        "text<meta>.__sub function",
        "text<meta>.__unm function",
        "thread thread",
      ]
    `);
  });

  it('takes no precompiled code', () => {
    expect(run('\u001bLua')).toMatchObject({ ok: false, code: 'syntax' });
  });

  it.each([
    'return load("return 1")',
    'return require("os")',
    'return dofile("/etc/passwd")',
    'return loadfile("/etc/passwd")',
    'return io.open("/etc/passwd")',
    'return os.getenv("PATH")',
    'return os.execute("id")',
    'return package.loaded',
    'return debug.getregistry()',
    'return string.dump(print)',
    'return ("x").dump(print)',
  ])('says what there is instead: %s', (code) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: false, code: 'runtime' });
    expect(result.ok || result.message).toMatch(/does not exist here: /);
  });

  it('says nothing of the machine it runs on', () => {
    for (const code of ['error("x")', 'local t = nil; t.x = 1', 'tools.fail()', 'string.rep()', 'x = = 1']) {
      const result = run(code);
      expect(result.ok, code).toBe(false);
      expect(result.ok ? '' : result.message).not.toMatch(/\/|node|wasm|\.ts|\.lua|sandbox/);
    }
  });

  it('cannot pollute the host', () => {
    run('return tools.echo({["__proto__"] = {polluted = true}, constructor = {prototype = {polluted = true}}})');
    run('return params', '{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(run('return params', '{"__proto__":{"a":1}}')).toEqual({ ok: true, value: '{"__proto__":{"a":1}}' });
  });

  it('leaves nothing behind, however it ended', () => {
    const probe = 'return {left, ("").left, getmetatable(array{}).left, string.len("ab"), #tools.echo{t = "x"}.t}';
    for (const code of [
      'left = 1',
      'getmetatable("").__index = {left = 1}',
      'string.left = 1',
      'getmetatable(array{}).left = 1',
      'tools.echo = function() return {t = "changed"} end string.len = nil',
      'left = 1 error("x")',
      'left = ("x"):rep(20000000) return 1',
      'local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end',
      'local function f() return f() + 1 end f()',
      'coroutine.wrap(function() left = coroutine.running() coroutine.yield() end)()',
      'parallel(function() tools.echo() left = 2 error("x") end)',
      'collectgarbage() setmetatable({}, {__gc = function() left = 3 end})',
    ]) {
      run(code);
      expect(run(probe)).toEqual({ ok: true, value: '{"4":2,"5":1}' });
    }
  });

  it('needs nothing of the platform once it is made, even where its memory has to be made anew', () => {
    for (const name of ['TextEncoder', 'TextDecoder', 'WebAssembly', 'crypto', 'performance', 'process', 'Buffer']) {
      vi.stubGlobal(name, undefined);
    }
    try {
      const grown = run('left = ("x"):rep(20000000) return #left');
      const after = run('return {left == nil, #tools.echo{t = ("é"):rep(100000)}.t}');
      vi.unstubAllGlobals();
      expect([grown, after]).toEqual([
        { ok: true, value: '20000000' },
        { ok: true, value: '[true,200000]' },
      ]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
