import type { CatalogueServer, CatalogueView } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import type { Tool } from '../tool.ts';
import type { Detail, Dialect } from './dialect.ts';
import { exampleCalls } from './example.ts';
import { findServer, serverNotices } from './servers.ts';
import { dialectOf } from './signature.ts';

/** Characters of a whole sheet, about 12,000 tokens; clients cut longer answers. Beyond it less is told of each function. */
export const SHEET_BUDGET_CHARS = 48_000;
/** No function is told of in less. */
const LEAST_FUNCTION_CHARS = 60;
/** `limits.max_parallel_calls` where the caller does not tell. */
const DEFAULT_PARALLEL_CALLS = 16;

/** One server's functions. */
interface Group {
  server: CatalogueServer;
  tools: readonly Tool[];
}

/** What a cheat sheet can be asked for. */
export interface DescribeOptions {
  /** Name, alias or namespace of the only server wanted. */
  server?: string;
  detail?: Detail;
  /** `limits.max_parallel_calls`. */
  maxParallelCalls?: number;
  /** Whether scripts are kept, so that `code.run` is there. */
  stored?: boolean;
}

/**
 * The cheat sheet of a language: the rules of scripts, every function in the language's own syntax, an example that
 * runs. A sheet over `SHEET_BUDGET_CHARS` tells less: brief lines, then names only. An unknown `server` throws
 * `invalid_arguments`.
 */
export function describeFunctions(view: CatalogueView, language: Language, options: DescribeOptions = {}): string {
  const dialect = dialectOf(language);
  const only = options.server === undefined ? undefined : findServer(view, options.server);
  const servers = only ? [only] : view.servers;
  const byServer = Map.groupBy(view.functions, (tool) => tool.server);
  const groups = servers
    .map((server): Group => ({ server, tools: byServer.get(server.server) ?? [] }))
    .filter(({ tools }) => tools.length > 0);
  const shown = groups.flatMap(({ tools }) => tools);
  const calls = exampleCalls(shown);
  const head = dialect.head({
    calls,
    notices: [...(options.stored ? [storedRule(dialect)] : []), ...serverNotices(servers)],
    maxParallelCalls: options.maxParallelCalls ?? DEFAULT_PARALLEL_CALLS,
  });
  const whole = (body: string[]) => `${[head, ...body, dialect.example(calls)].filter(Boolean).join('\n\n')}\n`;

  if (groups.length === 0) return whole([dialect.remark(nothingToCall(only))]);
  const details: Detail[] = options.detail === 'full' ? ['full', 'brief'] : ['brief'];
  for (const detail of shown.length * LEAST_FUNCTION_CHARS < SHEET_BUDGET_CHARS ? details : []) {
    const body = bodyWithin(groups, dialect, detail);
    if (!body) continue;
    const sheet = whole(detail === details[0] ? body : [dialect.remark(TOO_LONG_FOR_FULL), ...body]);
    if (sheet.length <= SHEET_BUDGET_CHARS) return sheet;
  }
  return whole(overview(groups, dialect, SHEET_BUDGET_CHARS - whole([]).length));
}

/** The functions of all servers, or undefined as soon as they are too long. */
function bodyWithin(groups: readonly Group[], dialect: Dialect, detail: Detail): string[] | undefined {
  const body: string[] = [];
  let left = SHEET_BUDGET_CHARS;
  for (const { server, tools } of groups) {
    const text = dialect.server(server, tools, detail);
    left -= text.length;
    if (left < 0) return undefined;
    body.push(text);
  }
  return body;
}

const TOO_LONG_FOR_FULL = 'Too long in full: shortened. Ask with server, or use search_functions, for the rest.';

function nothingToCall(only: CatalogueServer | undefined): string {
  const where = only ? `Server ${only.namespace}` : 'No server';
  return `${where} offers ${only ? 'no functions' : 'functions'} to scripts now; list_servers tells each one's state.`;
}

function storedRule(dialect: Dialect): string {
  return `Kept scripts (list_code) are functions too: ${dialect.keptCall('name')}.`;
}

/** Namespaces with counts and function names, in `budget` characters; every namespace keeps a share. */
function overview(groups: readonly Group[], dialect: Dialect, budget: number): string[] {
  const total = groups.reduce((sum, { tools }) => sum + tools.length, 0);
  const intro = dialect.remark(
    `${total} functions are too many to describe at once: names only. For signatures use search_functions, or ask again with server.`,
  );
  let left = budget - intro.length;
  const lines = groups.map(({ server, tools }, at) => {
    const share = Math.floor(left / (groups.length - at));
    const line = dialect.remark(namesOf(server, tools, dialect, share - 4));
    left -= line.length + 2;
    return line;
  });
  return [intro, lines.join('\n')];
}

function namesOf(server: CatalogueServer, tools: readonly Tool[], dialect: Dialect, max: number): string {
  const head = `${server.namespace} (${tools.length}):`;
  let text = head;
  for (const [at, tool] of tools.entries()) {
    const name = ` ${dialect.callName(tool).slice(tool.namespace.length + 1)}`;
    const rest = ` … ${tools.length - at} more`;
    if (text.length + name.length + rest.length > max) return `${text}${rest}`;
    text += name;
  }
  return text;
}
