import MiniSearch from 'minisearch';
import type { Tool } from '../tool.ts';

/** One function found. */
export interface FunctionHit {
  tool: Tool;
  score: number;
}

/** An answer: the best hits, and how many there are in all and by namespace. */
export interface FunctionSearch {
  hits: FunctionHit[];
  total: number;
  perServer: Record<string, number>;
}

/** A built index; immutable. */
export interface FunctionIndex {
  search(query: string, options?: { server?: string; limit?: number }): FunctionSearch;
}

const DEFAULT_LIMIT = 10;

/** Builds the index over the functions one caller may see; once per catalogue view. */
export function createFunctionIndex(functions: readonly Tool[]): FunctionIndex {
  const index = new MiniSearch({ fields: ['name', 'description', 'parameters', 'server'] });
  index.addAll(
    functions.map((tool, id) => ({
      id,
      name: tool.snakeName.replaceAll('_', ' '),
      description: tool.definition.description ?? '',
      parameters: Object.keys((tool.definition.inputSchema['properties'] as object | undefined) ?? {}).join(' '),
      server: `${tool.namespace} ${tool.server}`,
    })),
  );
  return {
    search(query, { server, limit = DEFAULT_LIMIT } = {}) {
      const found = index
        .search(query, { prefix: true, fuzzy: 0.2, boost: { name: 3 } })
        .map((result) => ({ tool: functions[result.id as number]!, score: result.score }))
        .filter(({ tool }) => server === undefined || tool.server === server || tool.namespace === server);
      const perServer: Record<string, number> = {};
      for (const { tool } of found) perServer[tool.namespace] = (perServer[tool.namespace] ?? 0) + 1;
      return { hits: found.slice(0, limit), total: found.length, perServer };
    },
  };
}
