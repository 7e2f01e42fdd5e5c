import type { Caller } from '../access/caller.ts';
import { findServer } from '../describe/servers.ts';
import { signatureOf } from '../describe/signature.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { scopeOf } from '../run/execute-code.ts';
import { createViewCache } from '../run/view-cache.ts';
import type { Language } from '../sandbox/contract.ts';
import { createFunctionIndex } from '../search/function-index.ts';
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
  const only = server === undefined ? undefined : findServer(view, server).namespace;
  const { hits, total, perServer } = indexOf(view).search(query, {
    limit,
    ...(only !== undefined && { server: only }),
  });
  const lines = hits.flatMap(({ tool }) => (tool ? [signatureOf(tool, language)] : []));
  const more = total > hits.length ? [`${total - hits.length} more: raise limit, or name a server.`] : [];
  const counts = Object.entries(perServer).map(([namespace, count]) => `${namespace} ${count}`);
  const summary = total === 0 ? [nothing(view)] : [`Matches by namespace: ${counts.join(', ')}.`];
  return [...lines, ...more, ...summary, ...(await stored(services, caller, query))].join('\n');
}

function nothing(view: CatalogueView): string {
  const namespaces = [...new Set(view.functions.map((tool) => tool.namespace))];
  return namespaces.length === 0
    ? 'Nothing found: no server offers functions now; list_servers tells why.'
    : `Nothing found. Namespaces: ${namespaces.join(', ')}; get_functions_description lists their functions.`;
}

async function stored(services: ServerServices, caller: Caller, query: string): Promise<string[]> {
  if (!services.store) return [];
  const records = await services.store.list(scopeOf(services, caller));
  const alike = bySimilarity(query, records, MIN_STORED_SCORE);
  if (alike.length === 0) return [];
  const lines = alike.slice(0, MAX_STORED).map(({ record }) => {
    const how = record.hasCode ? `code.run("${record.name}", params)` : `get_code("${record.name}"), a skill`;
    return `${how} — ${record.description.split('\n')[0]}`;
  });
  return ['Stored:', ...lines];
}
