/** Terms of an index, to be found by their beginning or in spite of a typo. */
export interface Vocabulary {
  has(term: string): boolean;
  /** Terms that begin so, the shortest first, at most `limit`. */
  startingWith(prefix: string, limit: number): string[];
  /** Terms one typo away (two where the word was long, as its author wrote it), with the number of typos. */
  near(term: string, writtenLength: number): { term: string; typos: number }[];
}

/** From this length a typo is forgiven, and from that one two. */
const ONE_TYPO = 4;
const TWO_TYPOS = 8;

/** Builds a vocabulary. */
export function createVocabulary(terms: Iterable<string>): Vocabulary {
  const sorted = [...terms].sort();
  const known = new Set(sorted);
  const byLength = new Map<number, string[]>();
  for (const term of sorted) {
    const same = byLength.get(term.length);
    if (same) same.push(term);
    else byLength.set(term.length, [term]);
  }

  function firstAtLeast(prefix: string): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    has: (term) => known.has(term),
    startingWith(prefix, limit) {
      const found: string[] = [];
      for (let at = firstAtLeast(prefix); sorted[at]?.startsWith(prefix); at++) found.push(sorted[at]!);
      return found.sort((one, other) => one.length - other.length).slice(0, limit);
    },
    near(term, writtenLength) {
      const allowed = writtenLength >= TWO_TYPOS ? 2 : writtenLength >= ONE_TYPO ? 1 : 0;
      const found: { term: string; typos: number }[] = [];
      for (let length = term.length - allowed; length <= term.length + allowed; length++) {
        for (const other of byLength.get(length) ?? []) {
          const typos = typosBetween(term, other, allowed);
          if (typos > 0 && typos <= allowed) found.push({ term: other, typos });
        }
      }
      return found;
    },
  };
}

/** Edits (a letter more, less, other, or two swapped) between two words; `most + 1` as soon as it is more than `most`. */
function typosBetween(a: string, b: string, most: number): number {
  if (most === 0) return a === b ? 0 : 1;
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  return edits(a, start, endA, b, start, endB, most);
}

/** The differing middles, by trying each kind of edit at their first difference: cheap as `most` is 1 or 2. */
function edits(a: string, fromA: number, toA: number, b: string, fromB: number, toB: number, most: number): number {
  let [atA, atB] = [fromA, fromB];
  while (atA < toA && atB < toB && a[atA] === b[atB]) {
    atA++;
    atB++;
  }
  const restA = toA - atA;
  const restB = toB - atB;
  if (restA === 0 || restB === 0) return Math.min(restA + restB, most + 1);
  if (most === 0 || Math.abs(restA - restB) > most) return most + 1;
  let best = edits(a, atA + 1, toA, b, atB + 1, toB, most - 1);
  best = Math.min(best, edits(a, atA + 1, toA, b, atB, toB, most - 1));
  best = Math.min(best, edits(a, atA, toA, b, atB + 1, toB, most - 1));
  if (restA > 1 && restB > 1 && a[atA] === b[atB + 1] && a[atA + 1] === b[atB]) {
    best = Math.min(best, edits(a, atA + 2, toA, b, atB + 2, toB, most - 1));
  }
  return Math.min(best + 1, most + 1);
}
