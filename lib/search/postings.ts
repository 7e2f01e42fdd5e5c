import type { SearchedText } from './function-fields.ts';
import { createTermReader, stemOf } from './words.ts';

/** What a word in a field weighs, and how much long fields are held against it (BM25F). */
const FIELDS: Record<keyof SearchedText, { weight: number; lengthNorm: number }> = {
  name: { weight: 3, lengthNorm: 0.6 },
  title: { weight: 1, lengthNorm: 0.5 },
  summary: { weight: 1.6, lengthNorm: 0.6 },
  description: { weight: 0.5, lengthNorm: 0.6 },
  parameters: { weight: 0.5, lengthNorm: 0.6 },
  server: { weight: 1.2, lengthNorm: 0 },
};
const FIELD_NAMES = Object.keys(FIELDS) as (keyof SearchedText)[];
/** Term frequency at which half of the possible weight is reached. */
const SATURATION = 1.6;

/** Documents that hold a term, with the term's weight in each. */
interface Postings {
  documents: number[];
  weights: number[];
}

/** Every stem with the texts that hold it; a run of several words (`GitHub`) is found by the words and as a whole. */
export function postingsOf(texts: readonly SearchedText[]): Map<string, Postings> {
  const termsOf = createTermReader(({ whole, words }) => (words.length > 1 ? [...words, whole] : words).map(stemOf));
  const fields = FIELD_NAMES.map((name) => {
    const terms = texts.map((text) => termsOf(text[name]));
    const length = terms.reduce((sum, one) => sum + one.length, 0) / Math.max(1, terms.length);
    return { ...FIELDS[name], terms, averageLength: Math.max(1, length) };
  });

  const postings = new Map<string, Postings>();
  for (let text = 0; text < texts.length; text++) {
    const frequencies = new Map<string, number>();
    for (const { weight, lengthNorm, terms, averageLength } of fields) {
      const own = terms[text]!;
      const share = weight / (1 - lengthNorm + (lengthNorm * own.length) / averageLength);
      for (const term of own) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
    }
    for (const [term, frequency] of frequencies) {
      let entry = postings.get(term);
      if (!entry) {
        entry = { documents: [], weights: [] };
        postings.set(term, entry);
      }
      entry.documents.push(text);
      entry.weights.push(frequency / (SATURATION + frequency));
    }
  }
  return postings;
}
