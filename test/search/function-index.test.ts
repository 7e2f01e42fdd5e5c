import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFunctionIndex } from '../../lib/search/function-index.ts';
import type { Tool, ToolDefinition } from '../../lib/tool.ts';
import { recordedView, viewOf } from '../support/recorded-catalogues.ts';
import { FUNCTION_QUERIES, HELD_OUT_QUERIES } from './function-queries.ts';
import { plainBm25 } from './plain-bm25.ts';
import { type Quality, qualityOf } from './ranking-quality.ts';

const tools = recordedView().functions;
const index = createFunctionIndex(tools);
const nameOf = (tool: Tool) => `${tool.namespace}/${tool.definition.name}`;
const found = (query: string, limit = 50): Tool[] => index.search(query, { limit }).hits.map(({ tool }) => tool);
const firstOf = (query: string) => found(query)[0]?.definition.name;
const functionsOf = (server: string, tools: ToolDefinition[]) => viewOf([{ server, tools }]).functions;
const figures = (quality: Quality) =>
  `recall@5 ${quality.recallAt5.toFixed(3)}  MRR ${quality.mrr.toFixed(3)}  nDCG@10 ${quality.ndcgAt10.toFixed(3)}`;

describe('function search over the seven recorded servers', () => {
  it('knows every tool the graded queries name', () => {
    const known = new Set(tools.map(nameOf));
    const named = [...FUNCTION_QUERIES, ...HELD_OUT_QUERIES].flatMap(({ best, also = [] }) => [...best, ...also]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(FUNCTION_QUERIES).toHaveLength(60);
  });

  it.each([
    ['60 queries', FUNCTION_QUERIES],
    ['20 held out', HELD_OUT_QUERIES],
  ])('keeps recall@5 at 0.85 and MRR at 0.75 or better: %s', (name, queries) => {
    const ours = qualityOf(queries, found, nameOf);
    const plain = qualityOf(queries, plainBm25(tools), nameOf);
    console.log(`${name}\n  ours        ${figures(ours)}\n  plain BM25  ${figures(plain)}`);
    expect(ours.recallAt5).toBeGreaterThanOrEqual(0.85);
    expect(ours.mrr).toBeGreaterThanOrEqual(0.75);
  });

  it.each([
    ['screenshto', 'browser_take_screenshot'],
    ['creat isue', 'create_issue'],
    ['drop databse', 'drop-database'],
    ['direktory tree', 'directory_tree'],
    ['recieve pull reqest files', 'get_pull_request_files'],
    ['aggreg', 'aggregate'],
    ['navig', 'browser_navigate'],
    ['readTextFile', 'read_text_file'],
    ['get_file_info', 'get_file_info'],
    ['github__create_issue', 'create_issue'],
    ['browser.browser_hover', 'browser_hover'],
    ['sessionless FORK', 'fork_repository'],
  ])('finds %s in spite of typos, beginnings and spelling: %s', (query, name) => {
    expect(firstOf(query)).toBe(name);
  });

  it('puts a deprecated function after its equals, and still finds it', () => {
    expect(firstOf('read file')).toBe('read_text_file');
    expect(found('read_file').map(({ snakeName }) => snakeName)).toContain('read_file');
    const inputSchema = {};
    const tools = functionsOf('pages', [
      { name: 'get_page', description: 'Gets a page. DEPRECATED: use fetch_page.', inputSchema },
      { name: 'fetch_page', description: 'Gets a page.', inputSchema },
    ]);
    const names = createFunctionIndex(tools)
      .search('get page')
      .hits.map(({ tool }) => tool.snakeName);
    expect(names).toEqual(['fetch_page', 'get_page']);
  });

  it('finds a function by a parameter that nothing else names', () => {
    expect(firstOf('excludePatterns allowed')).toMatch(/search_files|directory_tree|list_allowed_directories/);
    expect(found('maintainer_can_modify')[0]?.definition.name).toBe('create_pull_request');
  });

  it('finds functions described in Russian by other forms of their words', () => {
    const tools = functionsOf('crm', [
      { name: 'list_orders', description: 'Возвращает список заказов клиента', inputSchema: {} },
      { name: 'send_letter', description: 'Отправляет письмо сотруднику', inputSchema: {} },
    ]);
    const search = (query: string) => createFunctionIndex(tools).search(query).hits[0]?.tool.definition.name;
    expect(search('все заказы клиентов')).toBe('list_orders');
    expect(search('отправить письма')).toBe('send_letter');
  });

  it('finds a name of mixed case by its whole, its parts and in lower case', () => {
    const tools = functionsOf('x', [
      { name: 'one', description: 'Signs in by OAuth2 at GitHub', inputSchema: {} },
      { name: 'two', description: 'Asks github for its status', inputSchema: {} },
      { name: 'three', description: 'Reads nothing', inputSchema: {} },
    ]);
    const search = (query: string) =>
      createFunctionIndex(tools)
        .search(query)
        .hits.map(({ tool }) => tool.snakeName);
    expect(search('GitHub').toSorted()).toEqual(['one', 'two']);
    expect(search('github').toSorted()).toEqual(['one', 'two']);
    expect(search('oauth')).toEqual(['one']);
  });

  it('bears any query, and ranks by score', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (query) => {
        const scores = index.search(query, { limit: 50 }).hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        expect(scores.every((score) => score > 0 && Number.isFinite(score))).toBe(true);
      }),
    );
  });

  it('answers only the wanted server, by name or namespace, and counts only there', () => {
    const { hits, total, perServer } = index.search('create', { server: 'memory', limit: 1 });
    expect(hits[0]?.tool.namespace).toBe('memory');
    expect(Object.keys(perServer)).toEqual(['memory']);
    expect(total).toBe(perServer['memory']);
    expect(index.search('create', { server: 'server-memory' }).total).toBe(total);
  });

  it('counts all matches by namespace beyond the limit', () => {
    const { hits, total, perServer } = index.search('delete', { limit: 2 });
    expect(hits).toHaveLength(2);
    expect(total).toBeGreaterThan(5);
    expect(Object.values(perServer).reduce((sum, count) => sum + count)).toBe(total);
  });

  it('answers nothing to a query without a word it knows', () => {
    for (const query of ['', '   ', 'the of and', '???', 'xqzvwk', '\u0000\u202e']) {
      expect(index.search(query)).toEqual({ hits: [], total: 0, perServer: {} });
    }
  });

  it('is deterministic, and ties keep the order of the catalogue', () => {
    const same = functionsOf(
      'x',
      ['b', 'a', 'c'].map((name) => ({ name, description: 'ping', inputSchema: {} })),
    );
    const order = createFunctionIndex(same)
      .search('ping')
      .hits.map((hit) => hit.tool.definition.name);
    expect(order).toEqual(['b', 'a', 'c']);
  });

  it('bears a hostile query and hostile tools', () => {
    const hostile = functionsOf('h', [
      { name: '__proto__', description: 'constructor '.repeat(50_000), inputSchema: { type: 'object' } },
      { name: 'toString', inputSchema: {} },
    ]);
    const odd = createFunctionIndex(hostile);
    expect(odd.search('constructor').hits[0]?.tool.definition.name).toBe('__proto__');
    expect(
      createFunctionIndex(functionsOf('toLocaleString', [{ name: 'ping', inputSchema: {} }])).search('ping'),
    ).toMatchObject({ perServer: { toLocaleString: 1 } });
    expect(odd.search('word '.repeat(100_000) + 'x'.repeat(1_000_000)).total).toBe(0);
  });
});
