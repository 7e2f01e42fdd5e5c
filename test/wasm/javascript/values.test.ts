import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startInProcess } from './in-process.ts';

const run = await startInProcess();

describe('values of JavaScript', () => {
  it.each([
    ['nothing', 'undefined', undefined],
    ['a function', '() => 1', undefined],
    ['a symbol', 'Symbol("x")', undefined],
    ['null', 'null', 'null'],
    ['NaN', 'NaN', 'null'],
    ['infinity', '[Infinity, -Infinity]', '[null,null]'],
    ['minus zero', '-0', '0'],
    ['a small bigint', '12n', '12'],
    ['a big bigint', '2n ** 64n', '"18446744073709551616"'],
    ['undefined inside', '({ a: undefined, b: [undefined] })', '{"b":[null]}'],
    ['a date', 'new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['an invalid date', 'new Date(NaN)', 'null'],
    ['a map of strings', 'new Map([["a", 1], ["__proto__", 2]])', '{"a":1,"__proto__":2}'],
    ['another map', 'new Map([[1, 2]])', '[[1,2]]'],
    ['a set', 'new Set([1, 1, 2])', '[1,2]'],
    ['a typed array', 'new Uint8Array([1, 255])', '[1,255]'],
    ['floats', 'new Float64Array([0.5])', '[0.5]'],
    ['a buffer', 'new Uint8Array([7]).buffer', '[7]'],
    ['an error', 'new TypeError("no")', '{"name":"TypeError","message":"no"}'],
    ['a pattern', '/a+/gi', '"/a+/gi"'],
    ['an own toJSON', '({ toJSON: () => 5 })', '5'],
    ['a toJSON that gives itself', '{ const me = { toJSON: () => me, a: 1 }; me }', '{"a":1}'],
    ['a promise', 'Promise.resolve({ a: 1 })', '{"a":1}'],
    ['a lone surrogate', '"\\ud800"', '"\\ud800"'],
    ['a zero character', '"a\\u0000b"', '"a\\u0000b"'],
    ['a getter', '({ get a() { return 1 } })', '{"a":1}'],
    ['holes', '[, 1]', '[null,1]'],
    ['a namespace', 'tools', '{}'],
  ])('carry %s', (_, code, value) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.value).toBe(value);
  });

  it.each([
    ['a cycle', 'const a = {}; a.a = a; a', 'refers to itself'],
    ['a cycle through a map', 'const m = new Map(); m.set("m", m); m', 'recurses too deeply'],
    ['a forgotten promise', 'async function Run() { return { a: tools.echo({}) } }', 'add await'],
    [
      'calls in a list',
      'async function Run() { return [1, 2].map((n) => tools.echo({ n })) }',
      'because the code is async; write "await tools.echo(…)", or "await Promise.all(list)" for a list of them',
    ],
    ['promises in a list', '[1, 2].map(async (x) => x)', 'Promise.all(list)'],
    ['a promise in text', 'JSON.stringify({ a: Promise.resolve(1) })', 'await it first'],
    ['a toJSON that throws', '({ toJSON() { throw new Error("mine") } })', 'mine'],
  ])('refuse %s with advice', (_, code, part) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: false, code: 'runtime' });
    expect(!result.ok && result.message).toContain(part);
  });

  it('come back as they went in, as params, arguments and answers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const params = JSON.stringify(value);
        const same = run('function Run(p) { return p }', { params });
        expect(same.ok && same.value).toBe(JSON.stringify(JSON.parse(params)));
        const echoed = run('function Run(p) { return tools.echo({ p }).p }', { params });
        expect(echoed.ok && echoed.value).toBe(JSON.stringify(JSON.parse(params)));
        const waited = run('async function Run(p) { return (await tools.echo({ p })).p }', { params });
        expect(waited.ok && waited.value).toBe(JSON.stringify(JSON.parse(params)));
      }),
      { numRuns: 150 },
    );
  });

  it('print as a reader expects', () => {
    const { logs } = run(`
      console.log('text', 1, -0, true, null, undefined, 5n);
      console.error({ a: [1, 'x', { b: {} }], f() {} });
      console.warn(new Error('no'), [new Error('inner')], new Map([['a', 1]]), new Set([1]), new Date(0));
      const me = {}; me.me = me; console.info(me);
      console.debug(new Array(200).fill(0));
      console.log({ get bad() { throw 1 } });
      console.log('two\\nlines');
    `);
    expect(logs).toEqual([
      'text 1 -0 true null undefined 5n',
      '{"a": [1, "x", {"b": {}}], "f": [function f]}',
      'Error: no [[Error: inner]] Map {"a" => 1} Set {1} 1970-01-01T00:00:00.000Z',
      '{"me": [circular]}',
      `[${'0, '.repeat(100)}…]`,
      '[cannot be shown]',
      'two\nlines',
    ]);
  });
});
