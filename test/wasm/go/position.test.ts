import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createGoGuest } from '../../../wasm/go/create-guest.ts';
import { prepareGo } from '../../../wasm/go/prepare.ts';
import type { Guest } from '../../../wasm/guest.ts';
import { fakeBridge, hostFunctions } from './fake-bridge.ts';

const MEMORY_BYTES = 64 << 20;
let guest: Guest;
beforeAll(async () => {
  guest = await createGoGuest(await prepareGo(MEMORY_BYTES));
});

/** Statements that fail, with the text whose first character the reported column must be at (none: only the line). */
const faults: readonly (readonly [statement: string, code: string, at?: string])[] = [
  ['total = nobody', 'syntax', 'nobody'],
  ['os.RaedFile(nil)', 'function_not_found', 'RaedFile'],
  ['alone := os.List()', 'syntax', 'os.List()'],
  ['go helper()', 'syntax', 'go'],
  ['panic("stop")', 'runtime', 'panic'],
  ['total = list[total+9]', 'runtime'],
  ['total = total / zero', 'runtime'],
  ['var x int = "text"', 'syntax'],
];
const harmless = fc.constantFrom(
  'total++',
  '// comment',
  '',
  'list = append(list, total)',
  '_ = "жук 🐞"',
  'if total > 100 {\n\t\ttotal = 0\n\t}',
);

describe('a failure is reported on its own line', () => {
  it.each(faults)('%s', (statement, code, at) => {
    fc.assert(
      fc.property(
        fc.array(harmless, { maxLength: 6 }),
        fc.array(harmless, { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        (before, after, clause, fenced) => {
          const head = [
            'import "os"',
            'func helper() {}',
            'func Run() any {',
            '\tzero, total, list := 0, 0, []int{1}',
            '\t_, _, _ = zero, total, list',
          ];
          const lines = [
            ...(fenced ? ['```go'] : []),
            ...(clause ? ['package main'] : []),
            ...head,
            ...before.map((own) => `\t${own}`),
          ]
            .join('\n')
            .split('\n');
          const source = [
            ...lines,
            `\t${statement}`,
            ...after.map((own) => `\t${own}`),
            '\treturn total',
            '}',
            ...(fenced ? ['```'] : []),
          ].join('\n');
          const result = guest.run(
            { language: 'go', code: source },
            hostFunctions,
            { memoryBytes: MEMORY_BYTES, allowThreads: false },
            fakeBridge(),
          );
          expect(result).toMatchObject({ ok: false, code, line: lines.length + 1 });
          if (at && !result.ok)
            expect(`\t${statement}`.slice(result.column! - 1, result.column! - 1 + at.length)).toBe(at);
        },
      ),
      { numRuns: 20 },
    );
  });
});
