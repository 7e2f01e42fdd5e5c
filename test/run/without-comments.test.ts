import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutComments } from '../../lib/run/without-comments.ts';

/** The same by regular expressions: plain to read, but slow for some code. */
const C_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const LUA_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|--\[(=*)\[[\s\S]*?\]\2\]|--[^\n]*/g;
const plainly = (code: string, comment: RegExp) => code.replace(comment, (_, text?: string) => text ?? ' ');

const pieces = [
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '/',
  '*',
  '//',
  '/*',
  '*/',
  '--',
  '--[[',
  '--[=[',
  ']]',
  ']=]',
  '[',
  'a',
  ' ',
];
const code = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

describe('code without its comments', () => {
  it('is what regular expressions make of it', async () => {
    const same = (language: 'go' | 'lua', comment: RegExp) =>
      fc.property(code, (text) => {
        expect(withoutComments(text, language)).toBe(plainly(text, comment));
      });
    await fc.assert(same('go', C_COMMENT), { numRuns: 20_000 });
    await fc.assert(same('lua', LUA_COMMENT), { numRuns: 20_000 });
  });

  it.each([
    ['javascript', `/[${'/* '.repeat(85_000)}]/`],
    ['javascript', '"\\'.repeat(120_000)],
    ['typescript', '`\\'.repeat(120_000)],
    ['javascript', '""'.repeat(120_000)],
    ['lua', `local s = [==[\n${'--[=[\n'.repeat(40_000)}]==]`],
  ] as const)('is not looked through again and again for an end that is not there (%s)', (language, text) => {
    expect(withoutComments(text, language)).toBe(language === 'lua' ? text.replaceAll('--[=[', ' ') : text);
  });
});
