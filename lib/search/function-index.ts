import type { Tool } from '../tool.ts';
import { type SearchedText, textOfTool } from './function-fields.ts';
import { spelledOut, synonymsOf } from './synonyms.ts';
import { createVocabulary } from './vocabulary.ts';
import { stemOf, wordsOf } from './words.ts';

/** One function found. */
interface FunctionHit {
  tool: Tool;
  score: number;
}

/** An answer: the best hits, and how many match in all and by namespace. */
interface FunctionSearch {
  hits: FunctionHit[];
  total: number;
  perServer: Record<string, number>;
}

/** A built index; immutable. */
export interface FunctionIndex {
  search(query: string, options?: { server?: string | undefined; limit?: number | undefined }): FunctionSearch;
}

const DEFAULT_LIMIT = 10;
/** Characters and words of a query that count. */
const MAX_QUERY_CHARS = 1000;
const MAX_QUERY_WORDS = 24;
/** Terms tried for one word by its beginning. */
const MAX_PREFIX_TERMS = 12;
const MIN_PREFIX_CHARS = 3;
/** Of the best score; below it a function is not called a match. */
const RELEVANT_SHARE = 0.2;

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

/** What a match is worth by how it came about. */
const WORTH = { exact: 1, synonym: 0.55, prefix: 0.6, oneTypo: 0.7, twoTypos: 0.45 };
/** How much of the score hangs on how much of the query is matched. */
const COVERAGE_SHARE = 0.6;
/** What a name wholly covered by the query adds. */
const NAME_BONUS = 0.5;

/** Documents that hold a term, with the term's weight in each. */
interface Postings {
  documents: number[];
  weights: number[];
}

/**
 * Builds the index over the functions one caller may see; once per catalogue view. BM25F over stems,
 * widened by synonyms, beginnings and typos; of one word's variants only the best counts.
 */
export function createFunctionIndex(functions: readonly Tool[]): FunctionIndex {
  const { postings, names } = indexed(functions.map(textOfTool));
  const vocabulary = createVocabulary(postings.keys());

  const idfOf = (term: string): number => {
    const count = postings.get(term)?.documents.length ?? 0;
    return Math.log(1 + (functions.length - count + 0.5) / (count + 0.5));
  };

  /** The index's terms a word may stand for, with the worth of each. */
  function variantsOf(stem: string, word: string): Map<string, number> {
    const variants = new Map<string, number>();
    const offer = (term: string, worth: number) => {
      if (vocabulary.has(term)) variants.set(term, Math.max(variants.get(term) ?? 0, worth));
    };
    offer(stem, WORTH.exact);
    for (const synonym of synonymsOf(stem)) offer(synonym, WORTH.synonym);
    if (stem.length >= MIN_PREFIX_CHARS) {
      for (const term of vocabulary.startingWith(stem, MAX_PREFIX_TERMS)) {
        offer(term, WORTH.prefix * (stem.length / term.length));
      }
    }
    if (variants.size === 0) {
      for (const { term, typos } of vocabulary.near(stem, word.length))
        offer(term, typos === 1 ? WORTH.oneTypo : WORTH.twoTypos);
    }
    return variants;
  }

  function scoresOf(query: string): { scores: Float64Array; touched: Set<number> } {
    const scores = new Float64Array(functions.length);
    const covered = new Float64Array(functions.length);
    const named = new Float64Array(functions.length);
    const touched = new Set<number>();
    let possible = 0;
    for (const [stem, word] of queryStems(query)) {
      const best = new Map<number, number>();
      const inName = new Map<number, number>();
      let strongest = 0;
      for (const [term, worth] of variantsOf(stem, word)) {
        const { documents, weights } = postings.get(term)!;
        const strength = worth * idfOf(term);
        strongest = Math.max(strongest, strength);
        for (let at = 0; at < documents.length; at++) {
          const document = documents[at]!;
          const score = strength * weights[at]!;
          if (score > (best.get(document) ?? 0)) best.set(document, score);
          if (names[document]!.has(term) && worth > (inName.get(document) ?? 0)) inName.set(document, worth);
        }
      }
      for (const [document, worth] of inName) named[document]! += worth;
      possible += strongest;
      for (const [document, score] of best) {
        scores[document]! += score;
        covered[document]! += strongest;
        touched.add(document);
      }
    }
    for (const document of touched) {
      const coverage = possible > 0 ? covered[document]! / possible : 0;
      const nameCovered = Math.min(1, named[document]! / Math.max(1, names[document]!.size));
      scores[document]! *= (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage) * (1 + NAME_BONUS * nameCovered);
    }
    return { scores, touched };
  }

  return {
    search(query, { server, limit = DEFAULT_LIMIT } = {}) {
      const { scores, touched } = scoresOf(query);
      const wanted = [...touched].filter((at) => {
        const tool = functions[at]!;
        return server === undefined || tool.server === server || tool.namespace === server;
      });
      const ranked = wanted.sort((one, other) => scores[other]! - scores[one]! || one - other);
      const floor = RELEVANT_SHARE * (scores[ranked[0] ?? 0] ?? 0);
      const matching = ranked.filter((at) => scores[at]! >= floor);
      const perServer: Record<string, number> = Object.create(null);
      for (const at of matching) {
        const { namespace } = functions[at]!;
        perServer[namespace] = (perServer[namespace] ?? 0) + 1;
      }
      const hits = matching.slice(0, limit).map((at) => ({ tool: functions[at]!, score: scores[at]! }));
      return { hits, total: matching.length, perServer };
    },
  };
}

/** The stems of a query, each with the word it was. */
function queryStems(query: string): Map<string, string> {
  const words = wordsOf(query.slice(0, MAX_QUERY_CHARS)).slice(0, MAX_QUERY_WORDS).flatMap(spelledOut);
  return new Map(words.map((word) => [stemOf(word), word]));
}

/** Postings of every stem, and the stems of each name. */
function indexed(texts: SearchedText[]): { postings: Map<string, Postings>; names: Set<string>[] } {
  const stems = new Map<string, string>();
  const stem = (word: string): string => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const found = stemOf(word);
    stems.set(word, found);
    return found;
  };
  const fields = FIELD_NAMES.map((name) => {
    const terms = texts.map((text) => wordsOf(text[name]).map(stem));
    const length = terms.reduce((sum, one) => sum + one.length, 0) / Math.max(1, terms.length);
    return { name, terms, averageLength: Math.max(1, length) };
  });

  const postings = new Map<string, Postings>();
  for (let document = 0; document < texts.length; document++) {
    const frequencies = new Map<string, number>();
    for (const { name, terms, averageLength } of fields) {
      const own = terms[document]!;
      const { weight, lengthNorm } = FIELDS[name];
      const share = weight / (1 - lengthNorm + (lengthNorm * own.length) / averageLength);
      for (const term of own) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
    }
    for (const [term, frequency] of frequencies) {
      let entry = postings.get(term);
      if (!entry) {
        entry = { documents: [], weights: [] };
        postings.set(term, entry);
      }
      entry.documents.push(document);
      entry.weights.push(frequency / (SATURATION + frequency));
    }
  }
  return { postings, names: fields[0]!.terms.map((terms) => new Set(terms)) };
}
