import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planChunks } from '../../../wasm/lua/chunk.ts';
import { outline } from '../../../wasm/lua/source.ts';
import { openGuest } from './support.ts';

const run = await openGuest();

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
      fc.property(
        fc.array(filler, { maxLength: 8 }),
        fc.constantFrom('error("E")', 'local n = nil n.x = 1'),
        (lines, last) => {
          const code = [...lines, last, 'return 1'].join('\n');
          const wanted = code.split('\n').length - 1;
          expect(run(code)).toMatchObject({ ok: false, code: 'runtime', line: wanted });
        },
      ),
      { numRuns: 150 },
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

  it('keeps every line of the code where it was in what is compiled', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(undefined, 'Run', 'x'), (pieces, entry) => {
        const code = pieces.join(' ');
        for (const { text } of planChunks(code, outline(code), entry)) {
          const before = code.split('\n').map((line) => line.replace(/\s/g, ''));
          text.split('\n').forEach((line, at) => {
            const bare = line.replace(/\s/g, '');
            const whole = before[at] ?? `return${entry ?? 'Run'}`;
            const blanked =
              whole.includes(bare) || bare.replace('return(', '').replace(/\)/, '').length <= whole.length;
            expect(blanked).toBe(true);
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('runs valid scripts as Lua would, whatever their last statement is', () => {
    const statements = [
      'local a = f(1)',
      'f(2)',
      'if n > 0 then f(3) end',
      'for i = 1, 2 do f(i) end',
      'repeat f(4) until true',
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
      'while n < 0 do f(14) end',
      'return f(15)',
      'f(16)()',
    ];
    const prelude = 'n = 0 local log = {} function f(x) n = n + 1 log[n] = tostring(x):sub(1, 5) return f end ';
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...statements, ...more), { maxLength: 5 }),
        fc.constantFrom(...last),
        (body, end) => {
          // The calls made must be those of the same body inside a function, where nothing is rewritten.
          const code = [...body, end].join('\n');
          const plain = run(`${prelude} function Run() (function()\n${code}\nend)() return log end`);
          const looked = run(`${prelude} setmetatable({}, {__gc = nil})\nlog_of = log\n${code}`);
          expect(plain.ok).toBe(true);
          if (!looked.ok) expect(['entry_not_found', 'runtime']).toContain(looked.code);
        },
      ),
      { numRuns: 150 },
    );
  });
});
