import { parse } from 'acorn';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LuaFactory } from 'wasmoon';
import { describeFunctions } from '../../lib/describe/describe-functions.ts';
import { goLiteral, javascriptLiteral, luaLiteral } from '../../lib/describe/literal.ts';
import { cutAtSentence, firstSentence, safeLine } from '../../lib/describe/safe-text.ts';
import { searchAnswer } from '../../lib/describe/search-answer.ts';
import { signatureOf } from '../../lib/describe/signature.ts';
import { toolTexts } from '../../lib/describe/tool-texts.ts';
import type { Language } from '../../lib/sandbox/contract.ts';
import { createFunctionIndex } from '../../lib/search/function-index.ts';
import { compileTypescript } from '../support/compile-typescript.ts';
import { viewOf } from '../support/recorded-catalogues.ts';

const LANGUAGES: Language[] = ['javascript', 'typescript', 'lua', 'go'];

/** Texts that would end a comment, a string, a long bracket, a fence or a line, or that nobody can see. */
const ATTACKS = [
  '*/ pwned(); /*',
  '\n*/\npwned();\n/*',
  'a\r\npwned()\u2028pwned()\u2029pwned()\u0085pwned()',
  ']] pwned() --[[',
  ']==] pwned() --[==[',
  '``` \n```\npwned()\n```js\n~~~',
  '"; pwned(); "',
  "'; pwned(); '",
  '`${pwned()}`',
  '\\"; pwned(); //',
  '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007',
  '\u202epwned\u202c \u2066x\u2069 \u200b\u200d\ufeff \u{e0041}\u{e0042}',
  '\u0000\u0007\u0008 \ud800 lone',
  '<!-- pwned --> </script> ]]> {{pwned}}',
];
const everything = ATTACKS.join(' ');

/** A server every text of which is hostile. */
const hostile = viewOf([
  {
    server: everything,
    alias: 'evil',
    tools: ATTACKS.map((attack, at) => ({
      name: `${attack} tool ${at}`,
      title: attack,
      description: `${attack} description ${everything}`,
      inputSchema: {
        type: 'object',
        properties: {
          [attack]: { type: 'string', description: attack, default: attack },
          choice: { enum: [attack, `${attack}2`] },
          constant: { const: attack },
          nested: { type: 'object', properties: { [`${attack} in`]: { $ref: `#/$defs/${at}` } } },
          __proto__x: { type: 'array', items: { enum: [attack] } },
        },
        required: [attack, 'choice', 'constant'],
        $defs: { [at]: { type: 'object', properties: { [attack]: { const: attack } } } },
      },
      outputSchema: { type: 'object', properties: { [attack]: { enum: [attack] } } },
    })),
  },
  { server: `${everything} down`, alias: 'down', state: 'failed', error: everything },
]);

const sheets = (language: Language) =>
  (['brief', 'full'] as const).map((detail) => describeFunctions(hostile, language, { detail }));

/** Characters that no honest text shows: controls (but line feed and tab), directions, invisible ones, halves of pairs. */
const UNSEEN = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u;

describe('a cheat sheet of a hostile server', () => {
  let lua: Awaited<ReturnType<LuaFactory['createEngine']>>;
  beforeAll(async () => {
    lua = await new LuaFactory().createEngine();
  });
  afterAll(() => lua.global.close());

  it.each(LANGUAGES)('shows nothing invisible in %s', (language) => {
    const texts = [
      ...sheets(language),
      ...hostile.functions.map((tool) => signatureOf(tool, language)),
      searchAnswer(hostile, createFunctionIndex(hostile.functions), { query: everything, language }),
    ];
    for (const text of texts) expect(UNSEEN.exec(text)?.[0]).toBeUndefined();
    for (const tool of hostile.functions) expect(signatureOf(tool, language)).not.toContain('\n');
  });

  it('is TypeScript that declares and defines what it should and nothing else', () => {
    for (const sheet of sheets('typescript')) {
      expect(compileTypescript({ sheet })).toEqual([]);
      const withoutComments = sheet.replace(/\/\*[\s\S]*?\*\/|^\/\/.*$/gm, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
      expect(withoutComments).not.toMatch(/\bpwned\(/);
      expect(withoutComments.match(/^\S.*/gm)).toEqual([
        'declare namespace evil {',
        '}',
        'function Run(params: any) {',
        '}',
      ]);
    }
  });

  it('is a Lua chunk that runs nothing of the server’s', async () => {
    for (const sheet of sheets('lua')) {
      const chunk = `PWNED = false\nfunction pwned() PWNED = true end\nevil = {}\n${sheet}\nreturn PWNED`;
      expect(await lua.doString(chunk)).toBe(false);
      const code = sheet.replace(/--.*$/gm, '');
      expect(code.replace(/"(?:[^"\\]|\\.)*"/g, '""')).not.toMatch(/\bpwned\(/);
    }
  });

  it.each(['javascript', 'go'] as const)('has one code fence in %s, and its lines are its own', (language) => {
    for (const sheet of sheets(language)) {
      expect(sheet.match(/```/g)).toHaveLength(2);
      for (const line of sheet.split('```')[0]!.split('\n')) {
        expect(line).toMatch(/^(|Functions for|- |## |evil\.| {2}\/\/ )/);
      }
    }
    const [example = ''] = sheets('javascript').map((sheet) => sheet.split('```')[1]?.replace(/^js\n/, ''));
    expect(parse(example, { ecmaVersion: 2023 }).body).toHaveLength(1);
  });

  it('leaves our own tools’ descriptions clean', () => {
    const options = { languages: LANGUAGES, stored: true, allowDelete: true };
    for (const { description } of toolTexts(hostile, options)) {
      expect(UNSEEN.exec(description)?.[0]).toBeUndefined();
      expect(description).not.toMatch(/\n|```/);
    }
  });

  it('writes any string as a literal that means that string, in JavaScript and Lua', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...ATTACKS));
    fc.assert(
      fc.property(text, (value) => {
        expect(new Function(`return ${javascriptLiteral(value)}`)()).toBe(value);
        const sound = value.toWellFormed();
        const bytes = [...new TextEncoder().encode(sound)];
        lua.doStringSync(`VALUE = ${luaLiteral(sound)}\nBYTES = {string.byte(VALUE, 1, -1)}`);
        expect(Object.values(lua.global.get('BYTES') as object)).toEqual(bytes);
        for (const literal of [javascriptLiteral(value), luaLiteral(value), goLiteral(value)]) {
          expect(literal).not.toMatch(/\*\/|\]\]|\[\[|```|~~~|\n/);
          expect(UNSEEN.test(literal)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('makes any text a line that ends nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...ATTACKS), (text, attack) => {
        for (const line of [safeLine(text + attack), firstSentence(attack + text, 80), safeLine(safeLine(text))]) {
          expect(line).not.toMatch(/\*\/|\/\*|\]\]|\[\[|\]=+\]|\[=+\[|```|~~~|<!--|\n|\r/);
          expect(UNSEEN.test(line)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a long description', () => {
  it.each([
    ['Reads a file. It may be long.', 100, 'Reads a file.'],
    ['Reads e.g. a file, i.e. its text. More.', 100, 'Reads e.g. a file, i.e. its text.'],
    ['Version 1.2.3 of node.js is used! Yes.', 100, 'Version 1.2.3 of node.js is used!'],
    ['Search the web for\nresults that match. Then more.', 100, 'Search the web for results that match.'],
    ['Notion | Retrieve a user\nError Responses:\n400: 400', 100, 'Notion | Retrieve a user'],
    ['Short title\n\nThe rest of it.', 100, 'Short title'],
    ['one two three four five six', 14, 'one two three…'],
    ['  ', 100, ''],
  ])('%j is told in its first sentence', (description, max, sentence) => {
    expect(firstSentence(description, max)).toBe(sentence);
  });

  it('is cut at a sentence where one fits, else at a word, else anywhere, and never over its length', () => {
    expect(cutAtSentence('One two. Three four. Five six seven.', 25)).toBe('One two. Three four.');
    expect(cutAtSentence('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(cutAtSentence('😀'.repeat(9), 8).isWellFormed()).toBe(true);
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (text, max) => {
        expect(cutAtSentence(text, max).length).toBeLessThanOrEqual(max);
      }),
    );
  });
});
