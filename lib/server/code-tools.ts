import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { checkCodeName, readLanguage } from '../run/execute-request.ts';
import { shownMark } from '../run/shown-mark.ts';
import { scopeOf, storeOf } from '../run/stored-code.ts';
import { similarities } from '../search/similarity.ts';
import { shownName } from '../shown-name.ts';
import type { CodeRecord, CodeSummary } from '../store/contract.ts';
import { number, requiredText, text } from './arguments.ts';
import type { OwnCall } from './own-call.ts';

/** Records `list_code` shows at most, whatever `limit` asks for. */
const MAX_LISTED = 200;

/** `list_code`: newest first, or best first with `score` where there is a query. */
export async function listCode(args: JsonObject, { services, caller, view }: OwnCall): Promise<string> {
  const store = storeOf(services);
  const asked = text(args, 'language');
  const language = asked === undefined ? undefined : readLanguage(asked);
  const limit = Math.round(number(args, 'limit', 20, 1, MAX_LISTED));
  const query = text(args, 'query');
  const minScore = number(args, 'minScore', 0.2, 0, 1);
  const all = await store.list(scopeOf(services, caller));
  const records = all.filter((record) => language === undefined || record.language === language);
  if (query === undefined) {
    const newest = records.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
    return JSON.stringify(newest.slice(0, limit).map((record) => summary(record, view)));
  }
  const best = bySimilarity(query, records, minScore).slice(0, limit);
  return JSON.stringify(
    best.map(({ record, score }) => ({ ...summary(record, view), score: Number(score.toFixed(3)) })),
  );
}

/** The records at least this similar to a query, best first. */
export function bySimilarity(
  query: string,
  records: readonly CodeSummary[],
  minScore: number,
): { record: CodeSummary; score: number }[] {
  const scores = similarities(query, records);
  return records
    .map((record, at) => ({ record, score: scores[at]! }))
    .filter(({ score }) => score >= minScore)
    .toSorted((a, b) => b.score - a.score);
}

function summary(record: CodeSummary, view: CatalogueView): object {
  const { name, description, language, runs, codeLen, hasCode, hasInstructions, createdAt, updatedAt, invalid } =
    record;
  return {
    name,
    description,
    language,
    runs,
    codeLen,
    hasCode,
    hasInstructions,
    createdAt,
    updatedAt,
    ...(invalid !== undefined && { invalid: shownMark(invalid, view) }),
  };
}

/** `get_code`: the whole record; reading does not count as a run. */
export async function getCode(args: JsonObject, { services, caller, view }: OwnCall): Promise<string> {
  const store = storeOf(services);
  const name = requiredText(args, 'name');
  checkCodeName(name);
  const scope = scopeOf(services, caller);
  const version = text(args, 'version');
  const record = await store.get(scope, name, version);
  if (!record) throw notFound(name, version);
  return JSON.stringify(whole(record, await store.versions(scope, name), view));
}

function whole(record: CodeRecord, versions: object[], view: CatalogueView): object {
  const { revision, ...shown } = record;
  const { invalid } = shown;
  return { ...shown, ...(invalid !== undefined && { invalid: shownMark(invalid, view) }), versions };
}

/** `delete_code`: only with `store.allow_delete`. */
export async function deleteCode(args: JsonObject, { services, caller }: OwnCall): Promise<string> {
  const store = storeOf(services);
  if (!services.config.store.allow_delete) {
    throw new CodeModeError('forbidden', 'stored code is never deleted here: set store.allow_delete to allow it');
  }
  const name = requiredText(args, 'name');
  checkCodeName(name);
  if (!(await store.delete(scopeOf(services, caller), name))) throw notFound(name, undefined);
  services.log('info', 'code deleted', { name });
  return JSON.stringify({ deleted: name });
}

function notFound(name: string, version: string | undefined): CodeModeError {
  const what =
    version === undefined ? `no code is stored as "${name}"` : `"${name}" has no version "${shownName(version)}"`;
  const advice = version === undefined ? 'list_code shows what is' : 'get_code without version lists them';
  return new CodeModeError('code_not_found', `${what}: ${advice}`);
}
