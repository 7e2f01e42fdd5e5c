import type { JsonObject } from '../json.ts';
import type { CatalogueView, ServerState } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import { safeLine } from './safe-text.ts';

/** One of our own tools as `tools/list` shows it. */
export interface ToolText {
  name: string;
  title: string;
  /** Under 1,000 characters whatever is connected. */
  description: string;
  inputSchema: JsonObject;
  annotations: JsonObject;
}

/** What the texts depend on. */
export interface ToolTextOptions {
  /** Configured languages, without `typescript`. */
  languages: readonly Language[];
  /** Whether scripts are kept: `list_code`, `get_code` and the storing arguments. */
  stored: boolean;
  /** `store.allow_delete`. */
  allowDelete: boolean;
}

/** Of the list of namespaces in a description, characters. */
const NAMESPACES_CHARS = 280;
const NAME_PATTERN = '^[a-zA-Z0-9_-]{1,64}$';

/** Our own tools in the order `tools/list` shows them; they name the connected namespaces, briefly. */
export function toolTexts(view: CatalogueView, options: ToolTextOptions): ToolText[] {
  const languages = offeredLanguages(options.languages);
  const language = (description: string) => ({ type: 'string', enum: languages, description });
  const server = { type: 'string', description: 'Only this server: its name, alias or namespace.' };
  const connected = namespaces(view);

  return [
    tool('search_functions', 'Search functions', {
      description: `Find functions for a task among all connected servers. Answers ranked call signatures, how many more there are, and counts per server. ${connected}`,
      properties: {
        query: { type: 'string', description: 'The task in a few words, or part of a name.' },
        language: language('Syntax of the signatures; default javascript.'),
        server,
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Default 10.' },
      },
      required: ['query'],
    }),
    tool('get_functions_description', 'Describe functions', {
      description: `Cheat sheet for writing scripts: the rules, every function's signature in the language's own syntax, and an example that runs. Read it, or search_functions, before execute_code. With many functions only names are listed: narrow it by server. ${connected}`,
      properties: {
        language: language('Language you will write in.'),
        server,
        detail: {
          type: 'string',
          enum: ['brief', 'full'],
          description: 'full adds parameter descriptions and defaults.',
        },
      },
      required: ['language'],
    }),
    tool('execute_code', 'Execute code', {
      description: [
        'Run a script in a sandbox where tools of connected servers are functions: namespace.function({…}). Define Run(params); only what it returns and the logs come back, so filter, join and loop in code.',
        connected,
        options.stored
          ? 'With name and code, a script that succeeds is kept; name alone runs the kept one with params; name with only description or instructions keeps a note (skill).'
          : '',
        'Answers {ok, value, logs, error, errorCode, line, timedOut, durationMs, toolCalls}.',
      ]
        .filter(Boolean)
        .join(' '),
      properties: {
        language: language(
          `Default ${languages[0] ?? 'javascript'}${options.stored ? ', or that of the kept script' : ''}.`,
        ),
        code: { type: 'string', description: 'Source that defines the entry function.' },
        entry: { type: 'string', description: 'Function to call; default Run.' },
        params: { type: 'object', description: 'Given to the entry as its only argument.' },
        ...(options.stored
          ? {
              name: { type: 'string', pattern: NAME_PATTERN, description: 'Name of the kept script.' },
              description: { type: 'string', description: 'What the kept script is for; list_code searches it.' },
              instructions: { type: 'string', description: 'How to use it: preconditions, params, an example.' },
            }
          : {}),
      },
      required: [],
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    }),
    ...(options.stored ? storeTools(language, options.allowDelete) : []),
    tool('list_servers', 'List servers', {
      description:
        'State of every connected server: namespace, transport, state, error, number and names of its tools, warnings.',
      properties: {},
      required: [],
    }),
    tool('get_functions_raw', 'Raw function catalogue', {
      description: 'Full JSON schemas of the functions, for where a signature is not enough. Long: give server.',
      properties: { server },
      required: [],
    }),
  ];
}

function storeTools(language: (description: string) => JsonObject, allowDelete: boolean): ToolText[] {
  const name = { type: 'string', pattern: NAME_PATTERN, description: 'Name of the record.' };
  return [
    tool('list_code', 'List kept scripts', {
      description:
        'Kept scripts and skills, without their bodies: newest first, or most similar to query (typos and word order do not matter). Look here before writing a script anew.',
      properties: {
        query: { type: 'string', description: 'What it should do.' },
        language: language('Only this language.'),
        minScore: { type: 'number', minimum: 0, maximum: 1, description: 'Least similarity; default 0.2.' },
        limit: { type: 'integer', minimum: 1, description: 'Default 20.' },
      },
      required: [],
    }),
    tool('get_code', 'Read a kept script', {
      description: 'One kept script or skill whole: code, instructions, versions. Reading is not running.',
      properties: { name, version: { type: 'string', description: 'An earlier version.' } },
      required: ['name'],
    }),
    ...(allowDelete
      ? [
          tool('delete_code', 'Delete a kept script', {
            description: 'Delete one kept script or skill for good.',
            properties: { name },
            required: ['name'],
            annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
          }),
        ]
      : []),
  ];
}

function tool(
  name: string,
  title: string,
  rest: { description: string; properties: JsonObject; required: string[]; annotations?: JsonObject },
): ToolText {
  const { description, properties, required, annotations } = rest;
  return {
    name,
    title,
    description: description.trim(),
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    annotations: annotations ?? { readOnlyHint: true, openWorldHint: false },
  };
}

/** `typescript` is offered wherever `javascript` is. */
function offeredLanguages(languages: readonly Language[]): string[] {
  return languages.flatMap((one) => (one === 'javascript' ? ['javascript', 'typescript'] : [one]));
}

/** E.g. `Namespaces: os (14), math (3). Connecting, ask again in a few seconds: git. Not available now: mail.`, cut to fit. */
function namespaces(view: CatalogueView): string {
  const counts = new Map<string, number>();
  for (const { server } of view.functions) counts.set(server, (counts.get(server) ?? 0) + 1);
  const present = view.servers.filter(({ server }) => counts.has(server));
  const named = (lead: string, names: string[]) => (names.length > 0 ? `${lead}: ${listed(names)}.` : '');
  const inState = (wanted: ServerState) =>
    view.servers.filter(({ state }) => state === wanted).map(({ namespace }) => safeLine(namespace));
  return [
    named(
      'Namespaces',
      present.map((s) => `${safeLine(s.namespace)} (${counts.get(s.server)})`),
    ),
    named('Connecting, ask again in a few seconds', inState('connecting')),
    named('Not available now', inState('failed')),
  ]
    .filter(Boolean)
    .join(' ');
}

function listed(names: string[]): string {
  let text = names[0] ?? '';
  for (const [at, name] of names.entries()) {
    if (at === 0) continue;
    if (text.length + name.length > NAMESPACES_CHARS / 2) return `${text} and ${names.length - at} more`;
    text += `, ${name}`;
  }
  return text;
}
