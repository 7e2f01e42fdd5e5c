import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGuest } from './support.ts';

const run = await openGuest();

function value(code: string, params?: string): string | undefined {
  const result = run(code, params);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

/** What the table of `wasm/lua/codec.ts` lets through of a JSON value. */
function expected(json: unknown): unknown {
  if (typeof json === 'string') return json.toWellFormed();
  if (Array.isArray(json)) return json.map(expected);
  if (typeof json !== 'object' || json === null) return json;
  // Built as JSON.parse builds it: a key may be called __proto__.
  const members = Object.entries(json).filter(([, member]) => member !== null);
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name.toWellFormed())}:${JSON.stringify(expected(member))}`,
  );
  return JSON.parse(`{${texts.join(',')}}`);
}

const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('1', '2', '__proto__', '', 'constructor', '\0'));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('\ud800', '\udc00x', 'é', '😀', '\u0000', '\ufeff', '"\\/\b\f\n\r\t'),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
})).value;

describe('the Lua codec', () => {
  it('gives back every JSON value, as its table says', () => {
    fc.assert(
      fc.property(json, (given) => {
        const text = JSON.stringify(given);
        const back = value('function Run(p) return p end', `[${text}]`);
        expect(JSON.parse(back!)).toEqual(expected([JSON.parse(text)]));
      }),
      { numRuns: 1500 },
    );
  });

  it('gives a value through a host function as it gives it through params', () => {
    fc.assert(
      fc.property(json, (given) => {
        const text = `[${JSON.stringify(given)}]`;
        const back = value('return tools.echo(params)', text);
        expect(back).toBe(value('return params', text));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps all digits of 64-bit integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(value('return params', `{"n":[${n},"${n}"]}`)).toBe(`{"n":[${n},"${n}"]}`);
        expect(value('return math.type(params.n)', `{"n":${n}}`)).toBe('"integer"');
      }),
      { numRuns: 300 },
    );
    expect(value('return params', '[9223372036854775808]')).toBe('[9223372036854776000]');
  });

  it('writes numbers as JavaScript does', () => {
    fc.assert(
      fc.property(fc.double(), (n) => {
        const lua = Number.isNaN(n) ? '0/0' : Number.isFinite(n) ? `(${n})` : `${n < 0 ? '-' : ''}1/0`;
        expect(value(`return {${lua} + 0.0}`)).toBe(JSON.stringify([n]));
      }),
    );
    expect(value('return {1, 1.0, 2^53, 1e100, -0.0, 1/0, 0/0, math.mininteger}')).toBe(
      '[1,1,9007199254740992,1e+100,0,null,null,-9223372036854775808]',
    );
    expect(value('return {math.type(params[1]), math.type(params[2]), math.type(params[3])}', '[1,1.5,-0]')).toBe(
      '["integer","float","float"]',
    );
  });

  it('tells lists from maps', () => {
    expect(value('return {{}, array{}, {1, 2}, {a = 1}, {[1] = "x", [3] = "z"}, {[1001] = "x"}, {1, n = 1}}')).toBe(
      '[{},[],[1,2],{"a":1},["x",null,"z"],{"1001":"x"},{"1":1,"n":1}]',
    );
    expect(value('local e = tools.echo{items = array{}} e.items[1] = 5 return e')).toBe('{"items":[5]}');
    expect(value('local e = tools.echo{items = {1}} e.items[1] = nil return e')).toBe('{"items":[]}');
    expect(value('return {[1.5] = 1, [-1] = 2, [0] = 3}')).toBe('{"-1":2,"0":3,"1.5":1}');
  });

  it('has null for places in lists, and leaves null members out', () => {
    expect(
      value('return {params[1] == null, #params, tostring(null) ~= nil, params[2].x == nil}', '[null,{"x":null}]'),
    ).toBe('[true,2,true,true]');
    expect(value('return {null, {x = null}, array{null}}')).toBe('[null,{"x":null},[null]]');
  });

  it('replaces what is not UTF-8, in keys too', () => {
    expect(value('return {"a\\xffb", {["k\\xc3"] = 1}, ("é"):sub(1, 1)}')).toBe('["a\ufffdb",{"k\ufffd":1},"\ufffd"]');
  });

  it('asks no metatable', () => {
    const code = `return setmetatable({a = 1}, {
      __index = function() error("asked") end, __pairs = function() error("asked") end,
      __len = function() error("asked") end, __tostring = function() error("asked") end})`;
    expect(value(code)).toBe('{"a":1}');
  });

  it.each([
    ['return {a = {b = print}}', 'a function cannot be passed out of a script', 'value.a.b'],
    ['return {1, {coroutine.create(print)}}', 'a thread cannot be passed out', 'value[2][1]'],
    ['local t = {} t.t = t return t', 'contains itself', 'value.t'],
    ['return {[{}] = 1}', 'a table cannot be a key', ''],
    ['return {[true] = 1}', 'a boolean cannot be a key', ''],
    ['return {[3] = 1, ["3"] = 2}', 'two keys that are both "3"', ''],
  ])('refuses %s', (code, message, place) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: false, code: 'runtime' });
    expect(result.ok || result.message).toContain(message);
    expect(result.ok || result.message).toContain(place);
  });

  it('lets the same table stand in several places', () => {
    expect(value('local t = {1} return {t, t}')).toBe('[[1],[1]]');
  });

  it('carries what is nested 900 deep and refuses 1100', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(value('return params', nested(900))).toBe(nested(900));
    expect(run('return tools.echo', nested(1100))).toMatchObject({ ok: false });
    expect(run('local t = {} for i = 1, 1100 do t = {t} end return t')).toMatchObject({ ok: false, code: 'runtime' });
  });

  it('carries long texts', () => {
    const long = 'é😀x'.repeat(300_000);
    expect(value('return params', JSON.stringify([long]))).toBe(JSON.stringify([long]));
  });
});
