import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripFences } from '../../../wasm/repair/fences.ts';

describe('stripFences', () => {
  it.each([
    ['no fence', 'return 1', 'return 1', 0],
    ['a plain fence', '```\nreturn 1\n```', 'return 1', 1],
    ['a named fence', '```js\nlet a = 1;\nreturn a\n```\n', 'let a = 1;\nreturn a', 1],
    ['tildes', '~~~lua\nreturn 1\n~~~', 'return 1', 1],
    ['windows line ends', '```go\r\npackage main\r\n```\r\n', 'package main', 1],
    ['leading blank lines', '\n\n```ts\nlet a\n```', 'let a', 3],
    ['a missing closing fence', '```js\nreturn 1', 'return 1', 1],
    ['prose around one block', 'Here is the code:\n\n```js\nreturn 1\n```\nIt adds up.', 'return 1', 3],
    ['a comment above the block', '// adds: {a, b}\n```js\nreturn 1\n```', 'return 1', 2],
    ['a longer fence that holds a short one', '````md\n```\nx\n```\n````', '```\nx\n```', 1],
  ])('takes off %s', (_, source, code, lineOffset) => {
    expect(stripFences(source)).toEqual({ code, lineOffset });
  });

  it.each([
    ['several blocks', '```js\na\n```\nor\n```js\nb\n```'],
    ['a fence inside a template literal', 'const md = `\n```\nx\n```\n`;\nreturn md'],
    ['inline back-ticks', 'return `a```b`'],
  ])('leaves %s alone', (_, source) => {
    expect(stripFences(source)).toEqual({ code: source, lineOffset: 0 });
  });

  it('keeps every kept line at its own number', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', '\n', 'a', ' ', '{', 'js') }), (source) => {
        const { code, lineOffset } = stripFences(source);
        const lines = source.split('\n');
        for (const [at, line] of code.split('\n').entries()) {
          if (code !== '') expect(lines[at + lineOffset]).toBe(line);
        }
      }),
    );
  });
});
