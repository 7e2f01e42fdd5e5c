import { stat } from 'node:fs/promises';
import { searchedPart } from './code-limits.ts';
import type { CodeSummary } from './contract.ts';

/** Summaries remembered at once; the longest unused goes first. */
const MAX_KNOWN = 10_000;

/** A file changed so recently, milliseconds, may be changed again without its times telling. */
const SETTLED_MS = 2000;

/**
 * Remembers the summary of each file while the file stays as it is: a list then reads what has changed, and not every word
 * that anybody has kept. Undefined where there is no file.
 */
export function createSummaryCache(now = Date.now) {
  const known = new Map<string, { stamp: string; summary: CodeSummary }>();

  return async (file: string, read: () => Promise<CodeSummary | undefined>): Promise<CodeSummary | undefined> => {
    const found = await stat(file).catch(() => undefined);
    if (!found) {
      known.delete(file);
      return undefined;
    }
    const { ino, size, mtimeMs, ctimeMs } = found;
    const stamp = [ino, size, mtimeMs, ctimeMs].join();
    const kept = known.get(file);
    known.delete(file);
    const whole = kept?.stamp === stamp ? kept.summary : await read();
    if (!whole) return undefined;
    const summary = kept?.summary === whole ? whole : { ...whole, instructions: searchedPart(whole.instructions) };
    if (now() - ctimeMs > SETTLED_MS) known.set(file, { stamp, summary });
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
    return summary;
  };
}
