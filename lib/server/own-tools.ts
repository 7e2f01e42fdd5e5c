import { toolTexts } from '../describe/tool-texts.ts';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { defaultLanguage, enabled } from '../run/enabled-language.ts';
import { executeCode } from '../run/execute-code.ts';
import { EXECUTE_KEYS, readLanguage } from '../run/execute-request.ts';
import { refuseUnknownKeys } from '../run/known-keys.ts';
import { createViewCache } from '../run/view-cache.ts';
import type { Language } from '../sandbox/contract.ts';
import { shownName } from '../shown-name.ts';
import type { ToolDefinition, ToolResult } from '../tool.ts';
import { number, requiredText, text } from './arguments.ts';
import { getFunctionsRaw, listServers } from './catalogue-tools.ts';
import { deleteCode, getCode, listCode } from './code-tools.ts';
import type { OwnCall } from './own-call.ts';
import type { ServerServices } from './services.ts';

/** A tool of ours. */
interface OwnTool {
  /** Names of its arguments, as its schema has them. */
  keys: readonly string[];
  answer(args: JsonObject, call: OwnCall): Promise<ToolResult>;
}

/** Our own tools by name; also those that are not listed, which answer why. */
export const ownTools: ReadonlyMap<string, OwnTool> = new Map<string, OwnTool>([
  ['get_functions_description', answered(['language', 'server', 'detail'], describe)],
  ['search_functions', answered(['query', 'language', 'server', 'limit'], search)],
  ['execute_code', { keys: EXECUTE_KEYS, answer: (args, call) => executeCode(call.services, args, call) }],
  ['list_code', answered(['language', 'query', 'minScore', 'limit'], listCode)],
  ['get_code', answered(['name', 'version'], getCode)],
  ['delete_code', answered(['name'], deleteCode)],
  [
    'list_servers',
    answered([], async (_args, { view, catalogue, caller }) =>
      JSON.stringify(listServers(view, catalogue, caller.admin)),
    ),
  ],
  [
    'get_functions_raw',
    answered(['server'], async (args, { view }) => JSON.stringify(getFunctionsRaw(view, text(args, 'server')))),
  ],
]);

const caches = new WeakMap<ServerServices, (view: CatalogueView) => ToolDefinition[]>();

/** Our own tools as a view shows them: their descriptions name the connected namespaces. */
export function ownDefinitions(services: ServerServices, view: CatalogueView): ToolDefinition[] {
  let cache = caches.get(services);
  if (!cache) {
    const { languages, store } = services.config;
    const options = { languages, stored: services.store !== undefined, allowDelete: store.allow_delete };
    cache = createViewCache((seen) => toolTexts(seen, options).map((tool) => ({ ...tool })));
    caches.set(services, cache);
  }
  return cache(view);
}

/** The language argument; throws `invalid_arguments`, or `language_disabled`. */
function language(args: JsonObject, services: ServerServices): Language {
  const name = text(args, 'language');
  return enabled(services, name === undefined ? defaultLanguage(services) : readLanguage(name));
}

async function describe(args: JsonObject, { services, view }: OwnCall): Promise<string> {
  const { describeFunctions } = await import('../describe/describe-functions.ts');
  const server = text(args, 'server');
  const detail = text(args, 'detail') ?? 'brief';
  if (detail !== 'brief' && detail !== 'full') {
    throw new CodeModeError('invalid_arguments', `detail must be brief or full, not "${shownName(detail)}"`);
  }
  return describeFunctions(view, language(args, services), {
    ...(server !== undefined && { server }),
    detail,
    maxParallelCalls: services.config.limits.max_parallel_calls,
    stored: services.store !== undefined,
  });
}

async function search(args: JsonObject, { services, view, caller }: OwnCall): Promise<string> {
  const { searchFunctions } = await import('./search-functions.ts');
  const server = text(args, 'server');
  return searchFunctions(services, view, caller, {
    query: requiredText(args, 'query'),
    language: language(args, services),
    limit: Math.round(number(args, 'limit', 10, 1, 50)),
    ...(server !== undefined && { server }),
  });
}

/** A tool that answers one text; its refusals become results the model can read. */
function answered(keys: readonly string[], answer: (args: JsonObject, call: OwnCall) => Promise<string>): OwnTool {
  return {
    keys,
    async answer(args, call) {
      try {
        refuseUnknownKeys(args, keys);
        return { content: [{ type: 'text', text: await answer(args, call) }] };
      } catch (error) {
        if (!(error instanceof CodeModeError)) throw error;
        return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true };
      }
    },
  };
}
