/** Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`; `limit` where they are that many or more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before = new Uint8Array(b.length + 1);
  let last = Uint8Array.from({ length: b.length + 1 }, (_, j) => j);
  let row = new Uint8Array(b.length + 1);
  let lastBest = 0;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let rowBest = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      row[j] = best;
      rowBest = Math.min(rowBest, best);
    }
    // A swap looks two rows back; with both too far there is no way to a shorter end.
    if (rowBest >= limit && lastBest >= limit) return limit;
    lastBest = rowBest;
    [before, last, row] = [last, row, before];
  }
  return Math.min(limit, last[b.length]!);
}

/** Longer names are cut before comparing: the cost is quadratic. */
const MAX_COMPARED_CHARS = 64;

/** A beginning of at least this many letters counts as a slip of one letter. */
const MIN_BEGINNING_CHARS = 4;

/** The candidate a mistyped name most likely means: its beginning, or at most a third of the letters differ, case aside. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MAX_COMPARED_CHARS).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = candidate.slice(0, MAX_COMPARED_CHARS).toLowerCase();
    const begins = wanted.length >= MIN_BEGINNING_CHARS && other.startsWith(wanted);
    const d = begins ? Math.min(1, other.length - wanted.length) : distance(wanted, other, bestDistance);
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}
