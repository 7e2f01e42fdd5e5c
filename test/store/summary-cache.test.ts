import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_SEARCHED_CHARS } from '../../lib/store/code-limits.ts';
import type { CodeSummary } from '../../lib/store/contract.ts';
import { createSummaryCache } from '../../lib/store/summary-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'summaries-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.code');
const later = () => Date.now() + 60_000;

function reader(instructions = 'words') {
  const read = { times: 0 };
  const summary = { name: 'a', instructions } as CodeSummary;
  const from = async () => {
    read.times++;
    return summary;
  };
  return { read, from };
}

describe('the summary of a file', () => {
  it('is read once while the file stays as it is, and anew after every change', async () => {
    writeFileSync(file, 'one');
    const cache = createSummaryCache(later);
    const { read, from } = reader();
    for (let i = 0; i < 3; i++) expect(await cache(file, from)).toMatchObject({ instructions: 'words' });
    expect(read.times).toBe(1);
    writeFileSync(file, 'longer');
    await cache(file, from);
    expect(read.times).toBe(2);
    utimesSync(file, 1, 1);
    await cache(file, from);
    expect(read.times).toBe(3);
    writeFileSync(`${file}.new`, 'longer');
    utimesSync(`${file}.new`, 1, 1);
    renameSync(`${file}.new`, file);
    await cache(file, from);
    expect(read.times).toBe(4);
    rmSync(file);
    expect(await cache(file, from)).toBeUndefined();
    expect(read.times).toBe(4);
  });

  it('is not remembered of a file that has only just changed', async () => {
    writeFileSync(file, 'one');
    const cache = createSummaryCache();
    const { read, from } = reader();
    for (let i = 0; i < 2; i++) await cache(file, from);
    expect(read.times).toBe(2);
  });

  it('holds as much of the instructions as searches compare', async () => {
    writeFileSync(file, 'one');
    for (const cache of [createSummaryCache(), createSummaryCache(later)]) {
      const { from } = reader('x'.repeat(60_000));
      for (let i = 0; i < 2; i++) expect((await cache(file, from))!.instructions).toBe('x'.repeat(MAX_SEARCHED_CHARS));
    }
  });
});
