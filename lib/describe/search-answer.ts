import type { CatalogueView } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import type { FunctionIndex } from '../search/function-index.ts';
import { firstSentence, safeLine } from './safe-text.ts';
import { findServer, serverNotices } from './servers.ts';
import { dialectOf, signatureOf } from './signature.ts';

/** What `search_functions` was asked. */
interface SearchRequest {
  query: string;
  language: Language;
  server?: string | undefined;
  limit?: number | undefined;
}

/** A kept script, or a skill, that is like the query. */
interface KeptMatch {
  name: string;
  description: string;
  /** False for a skill. */
  hasCode: boolean;
  /** Why it no longer runs. */
  invalid?: string;
}

/** Of the query repeated in the answer, characters. */
const QUERY_CHARS = 80;
/** Of a kept script's description, characters. */
const KEPT_CHARS = 160;
/** Namespaces named in one line of counts. */
const MAX_NAMESPACES = 40;

/**
 * The answer of `search_functions`: ranked signatures, kept scripts, how many more there are, counts per server. An
 * unknown `server` throws `invalid_arguments`.
 */
export function searchAnswer(
  view: CatalogueView,
  index: FunctionIndex,
  request: SearchRequest,
  kept: readonly KeptMatch[] = [],
): string {
  const { query, language, limit } = request;
  const only = request.server === undefined ? undefined : findServer(view, request.server);
  const { hits, total, perServer } = index.search(query, { server: only?.server, limit });
  const asked = `"${safeLine(query).slice(0, QUERY_CHARS)}"`;
  const more = total - hits.length;
  const functions =
    total === 0
      ? [`No function matches ${asked}. Try other words, or get_functions_description.`]
      : [
          `${hits.length} of ${total} matches for ${asked}, best first:`,
          ...hits.map(({ tool }) => signatureOf(tool, language)),
          ...(more > 0 ? [`${more} more: raise limit, narrow the query or give server.`] : []),
        ];
  return [
    ...functions,
    ...(kept.length > 0 ? ['Kept scripts and skills:', ...kept.map((one) => keptLine(one, language))] : []),
    ...counts(view, perServer, only?.namespace),
    ...serverNotices(only ? [only] : view.servers),
  ].join('\n');
}

/** A kept script is called by its name from any language; a skill is read. */
function keptLine({ name, description, hasCode, invalid }: KeptMatch, language: Language): string {
  const dialect = dialectOf(language);
  const call = hasCode ? dialect.keptCall(safeLine(name)) : `get_code, name "${safeLine(name)}" (a skill)`;
  const about = firstSentence(description, KEPT_CHARS);
  const warning = invalid === undefined ? '' : ` (no longer runs: ${firstSentence(invalid, KEPT_CHARS)})`;
  return `${call}  ${dialect.comment} ${about}${warning}`.trimEnd();
}

/** How many of each server's functions match, and which servers have none that do. */
function counts(view: CatalogueView, perServer: Record<string, number>, only: string | undefined): string[] {
  const all = new Map<string, number>();
  for (const { namespace } of view.functions) all.set(namespace, (all.get(namespace) ?? 0) + 1);
  const shown = [...all].filter(([namespace]) => only === undefined || namespace === only);
  const matching = shown
    .filter(([namespace]) => perServer[namespace])
    .map(([namespace, count]) => `${namespace} ${perServer[namespace]} of ${count}`);
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
