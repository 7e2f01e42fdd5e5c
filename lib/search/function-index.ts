import { isDeprecated } from '../deprecated.ts';
import type { Tool } from '../tool.ts';
import { textOfTool } from './function-fields.ts';
import { postingsOf } from './postings.ts';
import { spelledOut, synonymsOf } from './synonyms.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';
import { readRun, splitRuns, stemOf, wordsOf } from './words.ts';

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

/** What a match is worth by how it came about. */
const WORTH = { exact: 1, synonym: 0.55, prefix: 0.6, oneTypo: 0.7, twoTypos: 0.45 };
/** How much of the score hangs on how much of the query is matched. */
const COVERAGE_SHARE = 0.6;
/** What a name wholly covered by the query adds. */
const NAME_BONUS = 0.5;
/** Of its score, what a deprecated function keeps: it comes after its equals. */
const DEPRECATED_SHARE = 0.6;

/**
 * Builds the index over the functions one caller may see; once per catalogue view. BM25F over stems,
 * widened by synonyms, beginnings and typos; of one word's variants only the best counts.
 */
export function createFunctionIndex(functions: readonly Tool[]): FunctionIndex {
  const texts = functions.map(textOfTool);
  const postings = postingsOf(texts);
  const names = texts.map(({ name }) => new Set(wordsOf(name).map(stemOf)));
  const deprecated = functions.map(({ definition }) => isDeprecated(definition.description));
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
    for (const [stem, word] of queryStems(query, vocabulary)) {
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
      if (deprecated[document]) scores[document]! *= DEPRECATED_SHARE;
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

/** The stems of a query, each with the word it was; a run stays whole where the index knows it so (`GitHub`). */
function queryStems(query: string, vocabulary: Vocabulary): Map<string, string> {
  const runs = splitRuns(query.slice(0, MAX_QUERY_CHARS))
    .map(readRun)
    .filter(({ words }) => words.length > 0);
  const words = runs
    .slice(0, MAX_QUERY_WORDS)
    .flatMap(({ whole, words }) => (vocabulary.has(stemOf(whole)) ? [whole] : words));
  return new Map(words.flatMap(spelledOut).map((word) => [stemOf(word), word]));
}
