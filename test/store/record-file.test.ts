import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FiledRecord, formatRecordFile, parseRecordFile } from '../../lib/store/record-file.ts';

const TIME = '2026-11-30T12:00:00.000Z';

const record: FiledRecord = {
  description: 'size of a file',
  language: 'javascript',
  entry: '',
  version: 3,
  createdAt: TIME,
  updatedAt: TIME,
  savedBy: 'ann',
  updatedBy: '007',
  instructions: 'Pass the path.\n\n---\nNeeds the server os.\n',
  code: 'function Run(p) {\n  return os.stat({ path: p.path }).size;\n}\n---\n',
};

describe('a record file', () => {
  it('is readable', () => {
    expect(formatRecordFile(record)).toBe(`---
description: size of a file
language: javascript
entry: ""
version: 3
createdAt: 2026-11-30T12:00:00.000Z
updatedAt: 2026-11-30T12:00:00.000Z
savedBy: ann
updatedBy: "007"
instructions: |
  Pass the path.

  ---
  Needs the server os.
---
function Run(p) {
  return os.stat({ path: p.path }).size;
}
---
`);
  });

  it('gives back what was put in', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        '---',
        '...',
        '# a',
        '- b',
        'a: b',
        ' lead',
        'trail ',
        '\t',
        '|',
        '>',
        '"',
        "'",
        '%TAG',
        '\u0085',
        '\u2028',
        '\uFEFF',
        'null',
        '~',
        '1',
        'true',
      ),
    );
    const text = fc
      .array(line)
      .chain((lines) => fc.constantFrom('\n', '\r\n', '\n\n', '\r', '').map((end) => lines.join(end)));
    const kept = text.map((value) => (value.trim() === '' ? '' : value.toWellFormed()));
    fc.assert(
      fc.property(kept, kept, kept, kept, kept, (description, instructions, code, entry, invalid) => {
        const one = { ...record, description, instructions, code, entry, invalid };
        expect(parseRecordFile(formatRecordFile(one), 'never')).toEqual(one);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes no more room in memory than its words', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const instructions = 'many words of a skill '.repeat(2700);
    const text = formatRecordFile({ ...record, instructions });
    collect();
    const before = process.memoryUsage().heapUsed;
    const kept = Array.from({ length: 100 }, () => parseRecordFile(text, TIME));
    collect();
    const bytes = (process.memoryUsage().heapUsed - before) / kept.length;
    expect(kept[99]!.instructions).toBe(instructions);
    expect(bytes).toBeLessThan(4 * instructions.length);
  });

  it('takes a file without a head as code', () => {
    expect(parseRecordFile('return 1;\n', TIME)).toEqual({
      description: '',
      language: 'javascript',
      entry: '',
      version: 1,
      instructions: '',
      code: 'return 1;\n',
      createdAt: TIME,
      updatedAt: TIME,
    });
  });

  it('reads a head written by hand, in part, with any line ends', () => {
    for (const end of ['\n', '\r\n']) {
      for (const start of ['', '\uFEFF']) {
        const text = `${start}${['---', 'language: lua', 'description: "x"', '---', 'return 1', ''].join(end)}`;
        expect(parseRecordFile(text, TIME)).toMatchObject({
          language: 'lua',
          description: 'x',
          code: `return 1${end}`,
        });
      }
    }
    expect(parseRecordFile('---\n---\nreturn 1', TIME)).toMatchObject({ code: 'return 1', language: 'javascript' });
    expect(parseRecordFile('---\ninstructions: be kind\n---', TIME)).toMatchObject({
      code: '',
      instructions: 'be kind',
    });
    expect(parseRecordFile('---\ninstructions: be kind\n---\n\n', TIME)).toMatchObject({ code: '' });
  });

  it('says what is wrong with a head', () => {
    expect(() => parseRecordFile('---\nlanguage: cobol\n---\n', TIME)).toThrow('language');
    expect(() => parseRecordFile('---\ninstruction: x\n---\n', TIME)).toThrow('instruction');
    expect(() => parseRecordFile('---\n[\n---\n', TIME)).toThrow();
    expect(() => parseRecordFile('---\ntext\n---\n', TIME)).toThrow('the head of the file is not right');
    expect(() => parseRecordFile('---\ndescription: &a [x]\nentry: *a\n---\n', TIME)).toThrow();
    expect(() => parseRecordFile('---\nversion: 0\n---\n', TIME)).toThrow('version');
  });
});
