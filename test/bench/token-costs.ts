import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { searchAnswer } from '../../lib/describe/search-answer.ts';
import { toolTexts } from '../../lib/describe/tool-texts.ts';
import type { CatalogueView } from '../../lib/registry/contract.ts';
import { createFunctionIndex } from '../../lib/search/function-index.ts';
import { INSTRUCTIONS } from '../../lib/server/methods.ts';

/** What a model's context pays for one catalogue, in o200k tokens. */
export interface TokenCosts {
  /** The server's instructions and our own tools as `tools/list` gives them, code-only mode. */
  connect: number;
  /** Every tool listed with its schema, as a plain proxy does. */
  listAll: number;
  /** The task by search, then a script: calls and answers, connect included. */
  searchThenRun: number;
  /** The task by the name of a kept script: call and answer, connect included. */
  byName: number;
  /** The task by direct calls, whose results pass through the context: listing included. */
  direct: number;
}

/** The task: how often a word occurs in two files of the filesystem server. */
const QUERY = 'read a text file';
const SCRIPT = `function Run(p) {
  return p.paths.map((path) => {
    const { content } = filesystem.read_text_file({ path });
    return { path, count: content.split(p.word).length - 1 };
  });
}`;
const PARAMS = { paths: ['notes/january.md', 'notes/february.md'], word: 'invoice' };
const RESULT = {
  ok: true,
  value: [
    { path: 'notes/january.md', count: 14 },
    { path: 'notes/february.md', count: 9 },
  ],
  logs: [],
  timedOut: false,
  durationMs: 21,
  toolCalls: 2,
};
/** Each of the two files: 600 lines of a kind that notes are made of, about 8,000 tokens. */
const FILE = Array.from({ length: 600 }, (_, at) => `- ${at}: the invoice of customer ${at * 7} was sent`).join('\n');

const tokensOf = (value: unknown): number => countTokens(typeof value === 'string' ? value : JSON.stringify(value));

/** Counts one catalogue; names, descriptions and schemas only, as clients hand them to a model. */
export function tokenCosts(view: CatalogueView): TokenCosts {
  const options = { languages: ['javascript', 'lua', 'go'], stored: true, allowDelete: false } as const;
  const own = toolTexts(view, options).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  const every = view.proxies.map(({ directName, definition }) => ({
    name: directName,
    description: definition.description ?? '',
    inputSchema: definition.inputSchema,
  }));
  const connect = tokensOf(INSTRUCTIONS) + tokensOf(own);
  const listAll = tokensOf(every);
  const search = { query: QUERY };
  const found = searchAnswer(view, createFunctionIndex(view.functions), { ...search, language: 'javascript' });
  const answer = tokensOf(JSON.stringify(RESULT));
  const direct = PARAMS.paths.map((path) => tokensOf({ path }) + tokensOf(FILE));
  return {
    connect,
    listAll,
    searchThenRun: connect + tokensOf(search) + tokensOf(found) + tokensOf({ code: SCRIPT, params: PARAMS }) + answer,
    byName: connect + tokensOf({ name: 'count_word', params: PARAMS }) + answer,
    direct: listAll + direct.reduce((sum, one) => sum + one),
  };
}
