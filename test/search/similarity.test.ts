import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { similarities } from '../../lib/search/similarity.ts';
import { KEPT_RECORDS, SIMILARITY_QUERIES } from './kept-records.ts';

/** Names of the records from the most similar on. */
function ranked(query: string): string[] {
  const scores = similarities(query, KEPT_RECORDS);
  return KEPT_RECORDS.map(({ name }, at) => ({ name, score: scores[at]! }))
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

const only = (query: string, name: string, description = '', instructions = '') =>
  similarities(query, [{ name, description, instructions }])[0]!;

describe('similarity of kept records', () => {
  it('holds recall over forty queries and two hundred records in English and Russian', () => {
    expect([SIMILARITY_QUERIES.length, KEPT_RECORDS.length]).toEqual([40, 200]);
    const ranks = SIMILARITY_QUERIES.map(([query, name]) => ranked(query).indexOf(name) + 1);
    const within = (most: number) => ranks.filter((rank) => rank >= 1 && rank <= most).length / ranks.length;
    console.log(`similarity: recall@1 ${within(1).toFixed(3)}  recall@5 ${within(5).toFixed(3)}`);
    expect(within(1)).toBeGreaterThanOrEqual(0.9);
    expect(within(5)).toBeGreaterThanOrEqual(0.975);
  });

  it('scores what was meant above the default least score, and nothing alike below it', () => {
    for (const [query, name] of SIMILARITY_QUERIES) {
      const scores = similarities(query, KEPT_RECORDS);
      expect(scores[KEPT_RECORDS.findIndex((record) => record.name === name)], query).toBeGreaterThan(0.2);
    }
    for (const query of ['quantum chromodynamics', 'крокодил гена', 'zzzz', 'the of and', '']) {
      expect(Math.max(...similarities(query, KEPT_RECORDS)), query).toBeLessThan(0.2);
    }
  });

  it('gives the whole score to the name itself, whatever the order and case', () => {
    expect(only('weekly_sales_report', 'weekly_sales_report')).toBeCloseTo(1);
    expect(only('Weekly Sales Report', 'weekly_sales_report')).toBeCloseTo(1);
    expect(only('report weekly sales', 'weekly_sales_report')).toBeGreaterThan(0.8);
    expect(only('ЕЖЕДНЕВНЫЙ ОТЧЁТ', 'ежедневный_отчет')).toBeCloseTo(1);
  });

  it('weighs a name above a description above instructions', () => {
    const [name, description, instructions] = [
      only('payroll', 'payroll'),
      only('payroll', 'x', 'payroll'),
      only('payroll', 'x', '', 'payroll'),
    ];
    expect(name).toBeGreaterThan(description);
    expect(description).toBeGreaterThan(instructions);
    expect(instructions).toBeGreaterThan(0.2);
  });

  it('costs little for one typo of each kind', () => {
    for (const typo of ['inventry', 'invenntory', 'inventury', 'invnetory']) {
      expect(only(typo, 'inventory_reorder'), typo).toBeGreaterThan(0.35);
    }
  });

  it('stays in [0,1] and never throws, for any text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, text, (query, name, description, instructions) => {
        const score = only(query, name, description, instructions);
        return score >= 0 && score <= 1;
      }),
    );
  });
});
