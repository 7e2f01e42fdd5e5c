import type { CatalogueView } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import type { KeptScript } from '../search/function-fields.ts';
import type { FunctionHit, FunctionIndex } from '../search/function-index.ts';
import { firstSentence, safeLine } from './safe-text.ts';
import { findServer, serverNotices } from './servers.ts';
import { signatureOf } from './signature.ts';

/** What `search_functions` was asked. */
export interface SearchRequest {
  query: string;
  language: Language;
  server?: string | undefined;
  limit?: number | undefined;
}

/** Of the query repeated in the answer, characters. */
const QUERY_CHARS = 80;
/** Of a kept script's description, characters. */
const SCRIPT_CHARS = 160;
/** Namespaces named in one line of counts. */
const MAX_NAMESPACES = 40;

/**
 * The answer of `search_functions`: ranked signatures, how many more there are, counts per server. An unknown `server`
 * throws `invalid_arguments`.
 */
export function searchAnswer(view: CatalogueView, index: FunctionIndex, request: SearchRequest): string {
  const { query, language, limit } = request;
  const only = request.server === undefined ? undefined : findServer(view, request.server);
  const { hits, total, perServer } = index.search(query, { server: only?.server, limit });
  const asked = `"${safeLine(query).slice(0, QUERY_CHARS)}"`;
  const lines = hits.map((hit) => lineOf(hit, language));
  const counted = counts(view, perServer, only?.namespace);
  const notices = serverNotices(only ? [only] : view.servers);
  if (total === 0) {
    const advice = 'Try other words, or get_functions_description.';
    return [`Nothing matches ${asked}. ${advice}`, ...counted, ...notices].join('\n');
  }
  const more = total - hits.length;
  const rest = more > 0 ? `${more} more: raise limit (at most 50), narrow the query or give server.` : 'That is all.';
  return [
    `${hits.length} of ${total} matches for ${asked}, best first:`,
    ...lines,
    '',
    rest,
    ...counted,
    ...notices,
  ].join('\n');
}

function lineOf(hit: FunctionHit, language: Language): string {
  return hit.tool ? signatureOf(hit.tool, language) : scriptCall(hit.script, language);
}

/** A kept script is called by its name from any language. */
function scriptCall(script: KeptScript, language: Language): string {
  const [run, comment] = { go: ['code.Run', '//'], lua: ['code.run', '--'] }[language as string] ?? ['code.run', '//'];
  const params = language === 'go' ? 'map[string]any{…}' : '{…}';
  const about = firstSentence(script.description, SCRIPT_CHARS);
  return `${run}("${script.name}", ${params})  ${comment} ${about} [kept ${script.language} script]`;
}

/** How many of each server's functions match, and which servers have none that do. */
function counts(view: CatalogueView, perServer: Record<string, number>, only: string | undefined): string[] {
  const all = new Map<string, number>();
  for (const { namespace } of view.functions) all.set(namespace, (all.get(namespace) ?? 0) + 1);
  const shown = [...all].filter(([namespace]) => only === undefined || namespace === only);
  const matching = shown
    .filter(([namespace]) => perServer[namespace])
    .map(([namespace, count]) => `${namespace} ${perServer[namespace]} of ${count}`);
  if (perServer['code']) matching.push(`kept scripts ${perServer['code']}`);
  const others = shown.filter(([namespace]) => !perServer[namespace]).map(([name, count]) => `${name} (${count})`);
  return [
    matching.length > 0 ? `Matches: ${cut(matching)}.` : '',
    others.length > 0 ? `No match: ${cut(others)}.` : '',
  ].filter(Boolean);
}

function cut(names: string[]): string {
  const more = names.length - MAX_NAMESPACES;
  return more > 0 ? `${names.slice(0, MAX_NAMESPACES).join(', ')} and ${more} more` : names.join(', ');
}
