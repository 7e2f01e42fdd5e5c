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
/** Of each field, characters compared. */
const MAX_FIELD_CHARS = 2000;
const MAX_QUERY_CHARS = 500;
/** Parts of the score: words found, bigrams found in name and description, the query found as it stands. */
const PARTS = { words: 0.76, bigrams: 0.12, phrase: 0.12 };
/** Two words less alike than this are different words. */
const LEAST_LIKENESS = 0.55;
/** What likeness short of equality is worth. */
const LIKENESS_WORTH = 0.9;

/** A field made ready: its words, and the text they make. */
interface PreparedField {
  words: Set<string>;
  text: string;
}

/**
 * Scores records by similarity of name, description and instructions to a query, each in [0,1], in the records' order.
 * Word order does not matter; typos and inflections (English and Russian) cost little. Rare words weigh more.
 */
export function similarities(query: string, records: readonly ComparedRecord[]): number[] {
  const termsOf = createTermReader(({ words }) => words.map(stemOf));
  const words = [...prepare(query.slice(0, MAX_QUERY_CHARS), termsOf).words];
  if (words.length === 0) return records.map(() => 0);
  const phrase = words.join(' ');
  const phraseBigrams = bigramsOf(phrase);
  const prepared = records.map((record) => FIELD_NAMES.map((name) => prepare(record[name], termsOf)));

  const vocabulary = new Map<string, Set<string>>();
  for (const field of prepared.flat()) {
    for (const word of field.words) if (!vocabulary.has(word)) vocabulary.set(word, framedBigrams(word));
  }
  const likes = words.map((word) => alike(word, vocabulary));
  const weights = words.map((_, at) => rarity(likes[at]!, prepared));
  const possible = weights.reduce((sum, weight) => sum + weight, 0);

  return prepared.map((fields) => {
    let found = 0;
    for (const [at, like] of likes.entries()) {
      let best = 0;
      for (const [word, likeness] of like) {
        for (const [index, name] of FIELD_NAMES.entries()) {
          if (fields[index]!.words.has(word)) best = Math.max(best, likeness * FIELD_WORTH[name]);
        }
      }
      found += weights[at]! * best;
    }
    const [name, description] = fields as [PreparedField, PreparedField];
    const whole = `${name.text} ${description.text}`;
    const bigrams = contained(phraseBigrams, bigramsOf(whole));
    const asItStands = phrase.length > 2 && (whole.includes(phrase) || fields[2]!.text.includes(phrase)) ? 1 : 0;
    const wordShare = found / possible;
    // Bigrams alone prove little: any two texts of a language share many.
    return Math.min(1, PARTS.words * wordShare + PARTS.bigrams * bigrams * wordShare + PARTS.phrase * asItStands);
  });
}

function prepare(text: string, termsOf: (text: string) => string[]): PreparedField {
  // One form of every letter: full-width and composed letters are as good as plain ones.
  const words = termsOf(text.slice(0, MAX_FIELD_CHARS).normalize('NFKC'));
  return { words: new Set(words), text: words.join(' ') };
}

/** The vocabulary's words like this one, with likeness in (0,1]. */
function alike(word: string, vocabulary: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const found = new Map<string, number>();
  const bigrams = framedBigrams(word);
  for (const [other, otherBigrams] of vocabulary) {
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

/** How much a word tells: less where many records have it; a word no record has tells as much as one that one has. */
function rarity(like: Map<string, number>, prepared: PreparedField[][]): number {
  const strong = [...like].filter(([, likeness]) => likeness > 0.7).map(([word]) => word);
  const having = prepared.filter((fields) => fields.some((field) => strong.some((word) => field.words.has(word))));
  return Math.log(1 + prepared.length / Math.max(1, having.length)) + 0.3;
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
