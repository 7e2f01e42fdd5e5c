import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateAsset } from '../../../wasm/assets.ts';
import { ENGINE_EXPORTS } from '../../../wasm/javascript/engine-exports.ts';
import { readSource } from '../../../wasm/javascript/source.ts';
import { startInProcess } from './in-process.ts';

const run = await startInProcess();

describe('the QuickJS build', () => {
  it('exports what we call under the names we know', () => {
    const loader = new URL('emscripten-module.cjs', locateAsset('quickjs'));
    const text = readFileSync(loader, 'utf8');
    for (const [name, short] of Object.entries(ENGINE_EXPORTS)) {
      // The loader has no public name for these; an engine checks at its start that they answer as it expects.
      const unnamed = name === 'initialize' || name === 'stackSave' || name === 'stackRestore';
      if (!unnamed) expect(text.includes(`_${name}=b.${short}`), name).toBe(true);
    }
  });
});

describe('a fault of syntax', () => {
  it('is found behind 300,000 empty lines', () => {
    const code = `${'\n'.repeat(300_000)}const x = ;`;
    expect(run(code)).toMatchObject({ ok: false, code: 'syntax', line: 300_001 });
  });
});

describe('a clock', () => {
  it('has UTC for local time, whatever ran before', () => {
    const code =
      'const deep = (n) => (n ? deep(n - 1) : new Date(2024, 6, 1).getTimezoneOffset());' +
      'return [new Date(2024, 0, 1).getTimezoneOffset(), deep(0), deep(20), new Date(2024, 6, 1).toISOString()]';
    expect(run(code)).toMatchObject({ value: '[0,0,0,"2024-07-01T00:00:00.000Z"]' });
  });
});

describe('a script', () => {
  it.each([
    ['a function Run', 'function Run() { return 1 }'],
    ['a constant Run', 'const Run = () => 1'],
    ['a let Run', 'let Run = function () { return 1 }'],
    ['an assigned Run', 'Run = () => 1'],
    ['an async Run', 'async function Run() { return 1 }'],
    ['a Run that gives a promise', 'const Run = () => Promise.resolve(1)'],
    ['an exported Run', 'export function Run() { return 1 }'],
    ['an exported constant', 'export const Run = async () => 1'],
    ['a list of exports', 'function Run() { return 1 }\nexport { Run }'],
    ['a renamed export', 'function main() { return 1 }\nexport { main as Run }'],
    ['a renamed default export', 'function main() { return 1 }\nexport { main as default }'],
    ['a default export', 'export default function () { return 1 }'],
    ['a named default export', 'export default async function main() { return 1 }'],
    ['a default arrow', 'export default () => 1'],
    ['a default name', 'const main = () => 1;\nexport default main;'],
    ['a default value', 'export default 1'],
    ['a return', 'const one = 1;\nreturn one;'],
    ['a return in a branch', 'if (true) { return 1 }'],
    ['an awaited return', 'return await Promise.resolve(1)'],
    ['a last expression', 'const one = 1;\none'],
    ['a last awaited expression', 'const one = Promise.resolve(1);\nawait one'],
    ['a promise as last expression', 'Promise.resolve(1)'],
    ['an immediately called async function', '(async () => 1)()'],
    ['Run called at the end', 'function Run() { return 1 }\nRun();'],
    ['Run awaited at the end', 'async function Run() { return 1 }\nawait Run();'],
    ['Run returned at the end', 'function Run() { return 1 }\nreturn Run();'],
    ['await in a plain Run', 'function Run() { return await 1 }'],
    ['await in a plain arrow', 'const Run = () => { const one = await 1; return one; }'],
    ['a hashbang', '#!/usr/bin/env node\nreturn 1'],
    ['windows line ends', 'const one = 1;\r\nreturn one;\r\n'],
    ['a byte order mark', '\ufefffunction Run() { return 1 }'],
    ['a fence', '```js\nreturn 1\n```'],
    ['strict mode', '"use strict";\nfunction Run() { return 1 }'],
  ])('with %s gives its value', (_, code) => {
    expect(run(code)).toMatchObject({ ok: true, value: '1' });
  });

  it('calls Run once, also when the script calls it itself', () => {
    for (const end of ['Run()', 'await Run()', 'return Run()', 'Run().then((x) => x)', '']) {
      const { logs } = run(`async function Run() { console.log('once') }\n${end}`);
      expect(logs).toEqual(['once']);
    }
  });

  it('runs its top-level code once, also when it has to be read twice', () => {
    expect(run('console.log("top");\nexport const Run = () => 1').logs).toEqual(['top']);
    expect(run('console.log("top");\nreturn 1').logs).toEqual(['top']);
    expect(run('console.log("top");\nJSON.parse("{");').logs).toEqual(['top']);
    expect(run('console.log("top");\neval("(");').logs).toEqual(['top']);
  });

  it('keeps to the entry that is named', () => {
    expect(
      run('function main(p) { return p.a } function Run() { return 2 }', { entry: 'main', params: '{"a":1}' }),
    ).toMatchObject({ value: '1' });
    expect(run('function Run() { return 2 }\n7', { entry: 'main' })).toMatchObject({ code: 'entry_not_found' });
    expect(run('return 1', { entry: 'main' })).toMatchObject({ code: 'entry_not_found' });
    expect(run('1', { entry: 'a b' })).toMatchObject({ code: 'entry_not_found' });
    expect(run('const x = 1', {})).toMatchObject({ code: 'entry_not_found' });
    expect(run('', {})).toMatchObject({ code: 'entry_not_found' });
  });

  it.each<[string, string, string, number, number, string]>([
    ['a thrown error', 'function Run() {\n  throw new Error("no");\n}', 'runtime', 2, 18, 'Error: no'],
    ['a read of null', 'const a = null;\n\na.b', 'runtime', 3, 2, "property 'b' of null"],
    ['an error under a fence', '```js\n\nnull.a\n```', 'runtime', 3, 5, 'null'],
    ['an error after a return', 'if (0) return 1;\nnull.a', 'runtime', 2, 5, 'null'],
    ['an error in an export', 'export function Run() {\n  null.a\n}', 'runtime', 2, 7, 'null'],
    ['an error after an added async', 'function Run() { await 1; null.a }', 'runtime', 1, 31, 'null'],
    ['an error in a callback', 'function Run() {\n  return [1].map((x) => x.a.b);\n}', 'runtime', 2, 28, 'undefined'],
    ['a syntax error', 'let a = 1;\nlet b = ;', 'syntax', 2, 9, '2 | let b = ;'],
    ['a syntax error under a fence', '```\nlet a = ;\n```', 'syntax', 2, 9, '2 | let a = ;'],
    ['an unclosed brace', 'function Run() {\n', 'syntax', 2, 1, ''],
    ['a call error', 'tools.nope({})', 'function_not_found', 1, 6, 'nope'],
    ['an unknown namespace', 'const x = 1;\nweather.current({})', 'function_not_found', 2, 1, 'weather'],
    [
      'a direct tool by its own name',
      'return tools__echo({})',
      'function_not_found',
      1,
      8,
      '"namespace":"tools__echo"',
    ],
    ['a function without its namespace', 'return echo({})', 'function_not_found', 1, 8, '"namespace":"echo","name":""'],
    ['a variable nobody defined', 'return ecko({})', 'runtime', 1, 8, "'ecko' is not defined"],
    [
      'a method of texts',
      'tools.echo({ a: 1 })\n  .split(",")',
      'runtime',
      2,
      9,
      'split is not a function: the value before it',
    ],
    ['a value that is called', 'const one = 1;\none()', 'runtime', 2, 4, 'one is not a function'],
    [
      'a result parsed twice',
      'JSON.parse(tools.echo({}))',
      'runtime',
      1,
      11,
      'results of functions are parsed already',
    ],
    [
      'a promise method on a call that has answered',
      'function Run() {\n  return tools.echo({}).then((x) => x);\n}',
      'runtime',
      2,
      29,
      'calls answer at once here: use the value, or make Run async and await it',
    ],
    [
      'a result taken for a protocol answer',
      'const r = tools.echo({ a: 1 });\nr.content[0].text',
      'runtime',
      2,
      10,
      'results of functions are unwrapped already',
    ],
    ['a missing await', 'async function Run() {\n  return tools.echo({}).a;\n}', 'runtime', 2, 20, 'add await'],
    ['a call that is returned', 'function Run() {\n  return tools.fail({});\n}', 'tool_failed', 2, 20, 'fail'],
    ['a returned call in brackets', 'return (tools\n  .fail({}))', 'tool_failed', 2, 8, 'fail'],
    ['a returned call of a call', 'return tools.echo({}).x.y(1)', 'runtime', 1, 24, 'undefined'],
    ['a returned call in a fence', '```\nif (1) {\n  return tools.fail({})\n}\n```', 'tool_failed', 3, 20, 'fail'],
    [
      'a returned method of texts',
      'return tools.echo({ a: 1 }).split(",")',
      'runtime',
      1,
      34,
      'split is not a function: the',
    ],
    ['an awaited call', 'async function Run() {\n  const a = await tools.fail({});\n}', 'tool_failed', 2, 29, 'fail'],
    [
      'one of several calls',
      'async function Run() {\n  await Promise.all([\n    tools.fail({}),\n  ]);\n}',
      'tool_failed',
      3,
      15,
      'fail',
    ],
    ['a returned promise', 'async function Run() {\n  return tools.fail({});\n}', 'tool_failed', 2, 20, 'fail'],
  ])('tells the place of %s', (_, code, errorCode, line, column, part) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: false, code: errorCode, line, column });
    expect(!result.ok && result.message).toContain(part);
  });

  it('puts the caret under the column', () => {
    const result = run('  nothing_like_it + 1');
    expect(!result.ok && result.message.split('\n').slice(-2)).toEqual(['1 |   nothing_like_it + 1', '  |   ^']);
  });

  it('lets calls in an async entry overlap and others not', () => {
    expect(run('async function Run() { const p = tools.echo({}); return p instanceof Promise }')).toMatchObject({
      value: 'true',
    });
    expect(run('function Run() { return tools.echo({ a: 1 }).a }')).toMatchObject({ value: '1' });
    expect(run('async function Run() { return await tools.echo({ a: 1 }).then((x) => x.a) }')).toMatchObject({
      value: '1',
    });
    expect(run('const { a } = tools.echo({ a: 1 });\nasync function Run() { return a }')).toMatchObject({ value: '1' });
  });

  it('lists and finds its functions', () => {
    expect(run('[Object.keys(tools), "echo" in tools, typeof tools.echo, String(tools)]')).toMatchObject({
      value: '[["echo","fail"],true,"function","[object tools]"]',
    });
  });

  it('finds its params as a global too', () => {
    expect(run('params.a', { params: '{"a":1}' })).toMatchObject({ value: '1' });
  });

  it('survives a name of its own like a namespace', () => {
    expect(run('const tools = { echo: () => 2 };\nreturn tools.echo()')).toMatchObject({ value: '2' });
    expect(run('function Run() { let tools = 3; return tools }')).toMatchObject({ value: '3' });
  });
});

describe('repairs', () => {
  const pieces = [
    'await ',
    'return ',
    'export ',
    'default ',
    'function Run() {',
    '}',
    '\n',
    'const a = 1;',
    '() => ',
    'import x from "y"',
    'async ',
    '`',
    '```',
    '"',
    ';',
    '(',
    ')',
    'Run',
    '\u2028',
    '😀',
    '/*',
    '*/',
    '//',
    'class A { static {',
    'for (',
    'x => x',
    '{ a: 1 }',
  ];
  const scripts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

  it('move no line and no column', () => {
    fc.assert(
      fc.property(scripts, (code) => {
        const source = readSource(code, 'Run');
        if ('message' in source) {
          expect(source.line).toBeGreaterThan(0);
          expect(source.column).toBeGreaterThan(0);
          return;
        }
        if (source.inserted) return;
        const before = code.split('\n');
        const after = source.code.split('\n').slice(source.extraLines);
        for (const [at, line] of before.entries()) expect(after[at]!.length).toBeGreaterThanOrEqual(line.length);
      }),
      { numRuns: 500 },
    );
  });

  it('end every script in a value or a coded failure with a place inside the source', () => {
    fc.assert(
      fc.property(scripts, (code) => {
        const result = run(code);
        if (result.ok) return;
        expect(result.code).not.toBe('internal');
        if (result.line !== undefined) {
          expect(result.line).toBeGreaterThan(0);
          expect(result.line).toBeLessThanOrEqual(code.split('\n').length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('an entry', () => {
  it.each(['eval', 'constructor', 'escape', 'toString'])('is never the built-in %s', (entry) => {
    expect(run('function Other() {}', { entry })).toMatchObject({ ok: false, code: 'entry_not_found' });
  });

  it('may have a built-in name of its own', () => {
    expect(run('function escape() { return 7 }', { entry: 'escape' })).toMatchObject({ ok: true, value: '7' });
  });
});
