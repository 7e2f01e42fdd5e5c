import type { Caller } from '../access/caller.ts';
import { searchAnswer } from '../describe/search-answer.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { shownMark } from '../run/shown-mark.ts';
import { scopeOf } from '../run/stored-code.ts';
import { createViewCache } from '../run/view-cache.ts';
import type { Language } from '../sandbox/contract.ts';
import { createFunctionIndex } from '../search/function-index.ts';
import type { CodeSummary } from '../store/contract.ts';
import { bySimilarity } from './code-tools.ts';
import type { ServerServices } from './services.ts';

/** Stored scripts shown beside the functions. */
const MAX_STORED = 3;

/** Likeness a stored script needs to be shown. */
const MIN_STORED_SCORE = 0.3;

/** What is searched for. */
export interface FunctionQuery {
  query: string;
  language: Language;
  server?: string;
  limit: number;
}

const indexOf = createViewCache(({ functions }) => createFunctionIndex(functions));

/** `search_functions`: ranked signatures, how many more, counts a server; and stored scripts that are alike. */
export async function searchFunctions(
  services: ServerServices,
  view: CatalogueView,
  caller: Caller,
  { query, language, server, limit }: FunctionQuery,
): Promise<string> {
  const kept = await stored(services, view, caller, query);
  return searchAnswer(view, indexOf(view), { query, language, limit, server }, kept);
}

async function stored(
  services: ServerServices,
  view: CatalogueView,
  caller: Caller,
  query: string,
): Promise<CodeSummary[]> {
  if (!services.store) return [];
  const records = await services.store.list(scopeOf(services, caller));
  const alike = bySimilarity(query, records, MIN_STORED_SCORE);
  return alike
    .slice(0, MAX_STORED)
    .map(({ record }) =>
      record.invalid === undefined ? record : { ...record, invalid: shownMark(record.invalid, view) },
    );
}
