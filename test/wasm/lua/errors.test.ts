import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outline } from '../../../wasm/lua/source.ts';
import { openGuest } from './support.ts';

const logs: string[] = [];
const run = await openGuest((text) => logs.push(text));

function printed(code: string): string[] {
  logs.length = 0;
  run(code);
  return [...logs];
}

describe('an error of a Lua script', () => {
  it.each<[code: string, errorCode: string, line: number | undefined, column: number | undefined, part: string]>([
    ['local x = 5\nif x != 3 then end', 'syntax', 2, 6, '~='],
    ['local n = 0\nn += 1', 'syntax', 2, undefined, 'x = x + 1'],
    ['local n = 0\nn++', 'syntax', 2, undefined, 'no ++'],
    ['if a && b then end', 'syntax', 1, undefined, '"and"'],
    ['if a || b then end', 'syntax', 1, undefined, '"or"'],
    ['if !a then end', 'syntax', 1, 4, 'not x'],
    ['// a comment\nreturn 1', 'syntax', 1, 1, 'comments begin with --'],
    ['const x = 1', 'syntax', 1, undefined, 'local x = 1'],
    ['let x = 1', 'syntax', 1, undefined, 'local x = 1'],
    ['local t = [1, 2]', 'syntax', 1, 11, '{1, 2, 3}'],
    ['local t = {a: 1}', 'syntax', 1, 15, '{key = value}'],
    ['function f() {\n  return 1\n}', 'syntax', 1, 14, 'then/do … end'],
    ['local s = `a`', 'syntax', 1, undefined, 'string.format'],
    ['local f = (x) => x', 'syntax', 1, undefined, 'function(a)'],
    ['for (let i = 0; i < 3; i++) {}', 'syntax', 1, 5, 'for i = 1, 10'],
    ['try {\n}', 'runtime', 1, 1, 'pcall'],
    ['local v = a ? b : c', 'syntax', 1, 13, 'condition and a or b'],
    ['if a then\n  x = 1\nelif b then\nend', 'syntax', 3, undefined, 'elseif'],
    ['for i = 1, 3 do\n  if i == 2 then continue end\nend', 'syntax', 2, undefined, 'goto continue'],
    ['if a then\n  x()\nelse if b then\n  y()\nend', 'syntax', 5, undefined, 'write elseif'],
    ['function Run()\n  return 1', 'syntax', 2, undefined, 'An "end" is missing'],
    ['local s = "a\nb"', 'syntax', 1, undefined, '[[…]]'],
    ['\n\nerror("boom")', 'runtime', 3, undefined, 'boom'],
    ['local t = {}\nreturn t.a.b', 'runtime', 2, 10, 'a is nil here'],
    ['pritn("x")', 'runtime', 1, 1, 'did you mean print?'],
    ['local function total() end\nreturn toatl()', 'runtime', 2, 8, 'did you mean total?'],
    ['return string.uper("x")', 'runtime', 1, 15, 'did you mean string.upper?'],
    ['local s = "x"\nreturn s:uper()', 'runtime', 2, 10, 'did you mean string.upper?'],
    ['local t = {}\nt:push(1)', 'runtime', 2, 3, 't[#t + 1]'],
    ['local r = {content = "x"}\nreturn r:match("x")', 'runtime', 2, 10, 'Only texts have match'],
    ['return nope + 1', 'runtime', 1, undefined, 'arithmetic on a nil'],
    ['return ("a b"):split(" ")', 'runtime', 1, 16, 'gmatch'],
    ['return fetch("http://x")', 'runtime', 1, 8, 'no network'],
    ['local x = fetch("http://x")', 'runtime', 1, 11, 'no network'],
    ['return "a" + 1', 'runtime', 1, undefined, 'joined with ..'],
    ['return "a" .. nil', 'runtime', 1, undefined, 'tostring(value)'],
    ['return 1 < "2"', 'runtime', 1, undefined, 'tonumber(text)'],
    ['for k, v in {1} do end', 'runtime', 1, undefined, 'pairs or ipairs'],
    ['local t = {1}\nreturn t[0].x', 'runtime', 2, undefined, 'count from 1'],
    ['local n\nn = n + 1', 'runtime', 2, undefined, 'n or 0'],
  ])('%j says where and what to change', (code, errorCode, line, column, part) => {
    const result = run(code);
    expect(result).toMatchObject({ ok: false, code: errorCode });
    if (result.ok) return;
    expect(result.message).toContain(part);
    if (line !== undefined) expect(result.line).toBe(line);
    if (column !== undefined) expect(result.column).toBe(column);
  });

  it('shows the line with a caret', () => {
    const result = run('local t = {}\n  return (t.missing.x)');
    expect(result.ok || result.message).toBe(
      [
        "attempt to index a nil value (field 'missing') (line 2)",
        '2 |   return (t.missing.x)',
        '  |             ^',
        'missing is nil here: look at what holds it with console.log, or guard it with "if missing then".',
      ].join('\n'),
    );
  });

  /** Each in a form that is changed before it is compiled, or not. */
  const failing = [
    'error("FAIL")',
    '(error)("FAIL")',
    'local n = nil\nn.FAIL = 1',
    'return error("FAIL")',
    'function Run()\n  error("FAIL")\nend\nreturn Run()',
    'local function Run()\n\n  error("FAIL") end',
    'local Run = function()\n  local n = nil\n  return n.FAIL.x\nend\nRun()',
    'return { Run = function()\n  error("FAIL")\nend }',
    'async function Run()\n  await error("FAIL")\nend',
  ];

  it('is found at its line behind whatever lines come before', () => {
    const filler = fc.constantFrom(
      '',
      '-- x',
      'local a = 1',
      '--[[ x\n y ]]',
      'local s = [[\n\n]]',
      'do end',
      'x = "a\\\nb"',
    );
    fc.assert(
      fc.property(fc.array(filler, { maxLength: 8 }), fc.constantFrom(...failing), (lines, last) => {
        const code = [...lines, last].join('\n');
        const line = code.slice(0, code.indexOf('FAIL')).split('\n').length;
        expect(run(code)).toMatchObject({ ok: false, code: 'runtime', line });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the look at Lua source', () => {
  const piece = fc.constantFrom(
    ...[
      'local',
      'function',
      'Run',
      'end',
      'return',
      '(',
      ')',
      '{',
      '}',
      '=',
      ',',
      '.',
      'x',
      '1',
      '"s"',
      '[[',
      ']]',
      '--',
      '\n',
    ],
    ...[
      ' ',
      'if',
      'then',
      'do',
      'for',
      'in',
      'repeat',
      'until',
      ';',
      '<',
      '>',
      '--[[',
      "'",
      '"',
      '\\',
      '#',
      '::',
      'é',
      '\0',
    ],
  );

  it('bears any text, and puts its tokens where they stand', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const code = pieces.join(' ');
        const { tokens, last } = outline(code);
        for (const { text, start, end, line } of tokens) {
          expect(code.slice(start, end)).toBe(text);
          expect(code.slice(0, start).split('\n').length).toBe(line);
        }
        expect(last).toBeLessThan(tokens.length);
      }),
      { numRuns: 500 },
    );
  });

  it('runs valid scripts as Lua would, whatever their last statement is', () => {
    const statements = [
      'local a = f(1)',
      'f(2)',
      'if 1 > 0 then f(3) end',
      'for i = 1, 2 do f(i) end',
      'repeat f(4) until f',
    ];
    const more = [
      'do local b = f(5) end',
      'function g() return f(6) end',
      'local t = { f(7), [f(8)] = f(9) }',
      'f(10);',
      ';',
    ];
    const last = [
      'f(11)',
      '(f)(12)',
      'f {1}',
      'f "x"',
      't = f(13)',
      'while nil do f(14) end',
      'return f(15)',
      'f(16)(17)',
    ];
    const prelude = 'f = setmetatable({}, {__call = function(_, x) print(tostring(x):sub(1, 5)) return f end}); ';
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...statements, ...more), { maxLength: 5 }),
        fc.constantFrom(...last),
        (body, end) => {
          const code = [...body, end].join('\n');
          // Inside a function nothing is rewritten: the same calls must be made in the same order.
          expect(printed(prelude + code)).toEqual(printed(`${prelude} function Run() do ${code} end end`));
        },
      ),
      { numRuns: 200 },
    );
  });
});
