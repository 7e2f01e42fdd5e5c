import { MAX_SEARCHED_CHARS } from '../store/code-limits.ts';
import { createTermReader, stemOf } from './words.ts';

/** What of a kept record is compared. */
export interface ComparedRecord {
  name: string;
  description: string;
  instructions: string;
}

/** How much a match in a field counts. */
const FIELD_WORTH = { name: 1, description: 0.95, instructions: 0.7 };
const FIELD_NAMES = Object.keys(FIELD_WORTH) as (keyof ComparedRecord)[];
const MAX_QUERY_CHARS = 500;
/** Parts of the score: words found, bigrams found in name and description, the query found as it stands. */
const PARTS = { words: 0.76, bigrams: 0.12, phrase: 0.12 };
/** Two words less alike than this are different words. */
const LEAST_LIKENESS = 0.55;
/** What likeness short of equality is worth. */
const LIKENESS_WORTH = 0.9;
/** From this likeness on a word counts as had, when it is asked how rare it is. */
const SAME_WORD = 0.7;
/** What even a word that every record has weighs. */
const LEAST_WEIGHT = 0.3;

/** Where a word occurs: the record's place and the worth of the field. */
interface Occurrence {
  record: number;
  worth: number;
}

/**
 * Scores records by similarity of name, description and instructions to a query, each in [0,1], in the records' order.
 * Word order does not matter; typos and inflections (English and Russian) cost little. Rare words weigh more.
 */
export function similarities(query: string, records: readonly ComparedRecord[]): number[] {
  const read = createTermReader(({ words }) => words.map(stemOf));
  // One form of every letter: full-width and composed letters are as good as plain ones.
  const termsOf = (text: string, max: number) => read(text.slice(0, max).normalize('NFKC'));
  const words = [...new Set(termsOf(query, MAX_QUERY_CHARS))];
  if (words.length === 0) return records.map(() => 0);

  const fields = records.map((record) => FIELD_NAMES.map((name) => termsOf(record[name], MAX_SEARCHED_CHARS)));
  const occurrences = occurrencesOf(fields);
  const vocabulary = [...occurrences.keys()].map((word) => ({ word, bigrams: framedBigrams(word) }));
  const found = new Float64Array(records.length);
  let possible = 0;
  for (const word of words) {
    const best = new Map<number, number>();
    const having = new Set<number>();
    for (const [like, likeness] of alike(word, vocabulary)) {
      for (const { record, worth } of occurrences.get(like) ?? []) {
        if (likeness * worth > (best.get(record) ?? 0)) best.set(record, likeness * worth);
        if (likeness >= SAME_WORD) having.add(record);
      }
    }
    // A word no record has tells as much as one that a single record has.
    const weight = Math.log(1 + records.length / Math.max(1, having.size)) + LEAST_WEIGHT;
    for (const [record, likeness] of best) found[record]! += weight * likeness;
    possible += weight;
  }

  const phrase = words.join(' ');
  const phraseBigrams = bigramsOf(phrase);
  return fields.map(([name = [], description = [], instructions = []], record) => {
    const share = found[record]! / possible;
    if (share === 0) return 0;
    const whole = `${name.join(' ')} ${description.join(' ')}`;
    const asItStands = phrase.length > 2 && (whole.includes(phrase) || instructions.join(' ').includes(phrase));
    // Bigrams alone prove little: any two texts of a language share many.
    const bigrams = contained(phraseBigrams, bigramsOf(whole)) * share;
    return Math.min(1, PARTS.words * share + PARTS.bigrams * bigrams + (asItStands ? PARTS.phrase : 0));
  });
}

/** Every word with the records that have it, once for each of their fields. */
function occurrencesOf(fields: readonly string[][][]): Map<string, Occurrence[]> {
  const occurrences = new Map<string, Occurrence[]>();
  fields.forEach((ofRecord, record) => {
    ofRecord.forEach((words, field) => {
      const worth = FIELD_WORTH[FIELD_NAMES[field]!];
      for (const word of new Set(words)) {
        const known = occurrences.get(word);
        if (known) known.push({ record, worth });
        else occurrences.set(word, [{ record, worth }]);
      }
    });
  });
  return occurrences;
}

/** The vocabulary's words like this one, with likeness in (0,1]. */
function alike(word: string, vocabulary: readonly { word: string; bigrams: Set<string> }[]): Map<string, number> {
  const found = new Map<string, number>();
  const bigrams = framedBigrams(word);
  for (const { word: other, bigrams: otherBigrams } of vocabulary) {
    const likeness = Math.max(
      sharedBeginning(word, other),
      comparable(word, other) ? diceOf(bigrams, otherBigrams) : 0,
    );
    if (other === word) found.set(other, 1);
    else if (likeness >= LEAST_LIKENESS) found.set(other, likeness * LIKENESS_WORTH);
  }
  return found;
}

/** Whether two words are of a length to be one word mistyped. */
function comparable(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 3 && short.length * 2 >= long.length;
}

/** Letters both words begin with, from four on, as a share of the longer. */
function sharedBeginning(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  let shared = 0;
  while (shared < longer && a[shared] === b[shared]) shared++;
  return shared >= 4 ? (shared / longer) * 0.95 : 0;
}

/** Bigrams of a word with its edges. */
function framedBigrams(word: string): Set<string> {
  return bigramsOf(`^${word}$`);
}

function bigramsOf(text: string): Set<string> {
  const bigrams = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) bigrams.add(text.slice(at, at + 2));
  return bigrams;
}

function diceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const one of a) if (b.has(one)) shared++;
  return (2 * shared) / (a.size + b.size);
}

function contained(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  let shared = 0;
  for (const one of part) if (whole.has(one)) shared++;
  return part.size === 0 ? 0 : shared / part.size;
}
