import { describe, expect, it } from 'vitest';
import { searchAnswer } from '../../lib/describe/search-answer.ts';
import { toolTexts } from '../../lib/describe/tool-texts.ts';
import { createFunctionIndex } from '../../lib/search/function-index.ts';
import { tokenCosts } from '../bench/token-costs.ts';
import { viewOfMany } from '../support/many-tools.ts';
import { RECORDED, recordedView, viewOf } from '../support/recorded-catalogues.ts';

/** Some models take at most 1,024 characters of a description (FIELD, "Clients"). */
const MAX_DESCRIPTION = 1_000;
/** Connecting in code-only mode, o200k tokens. */
const MAX_CONNECT_TOKENS = 1_500;

const everything = { languages: ['javascript', 'lua', 'go'], stored: true, allowDelete: true } as const;

describe('our own tools', () => {
  it('are as kept', async () => {
    const texts = toolTexts(recordedView(), everything);
    await expect(`${JSON.stringify(texts, null, 2)}\n`).toMatchFileSnapshot('../golden/own-tools.json');
  });

  it('hold to the names and arguments of the contract', () => {
    const table = toolTexts(recordedView(), everything).map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema['properties'] as object),
      inputSchema['required'] ?? [],
    ]);
    expect(table).toEqual([
      ['search_functions', ['query', 'language', 'server', 'limit'], ['query']],
      ['get_functions_description', ['language', 'server', 'detail'], ['language']],
      ['execute_code', ['language', 'code', 'entry', 'params', 'name', 'description', 'instructions'], []],
      ['list_code', ['query', 'language', 'minScore', 'limit'], []],
      ['get_code', ['name', 'version'], ['name']],
      ['delete_code', ['name'], ['name']],
      ['list_servers', [], []],
      ['get_functions_raw', ['server'], []],
    ]);
  });

  it('show the code tools and arguments only where scripts are kept', () => {
    const names = (options: object) => toolTexts(recordedView(), { ...everything, ...options }).map(({ name }) => name);
    expect(names({ stored: false })).not.toContain('list_code');
    expect(names({ stored: false })).not.toContain('get_code');
    expect(names({ allowDelete: false })).not.toContain('delete_code');
    const [execute] = toolTexts(recordedView(), { ...everything, stored: false }).filter(
      ({ name }) => name === 'execute_code',
    );
    expect(Object.keys(execute!.inputSchema['properties'] as object)).toEqual(['language', 'code', 'entry', 'params']);
  });

  it('offer the enabled languages only, and TypeScript wherever JavaScript is', () => {
    const offered = (languages: readonly ('javascript' | 'lua' | 'go')[]) => {
      const [first] = toolTexts(recordedView(), { ...everything, languages });
      return (first!.inputSchema['properties'] as { language: { enum: string[] } }).language.enum;
    };
    expect(offered(['javascript', 'lua', 'go'])).toEqual(['javascript', 'typescript', 'lua', 'go']);
    expect(offered(['go'])).toEqual(['go']);
  });

  it('name what is connected and what is away, and stay short at any size', () => {
    const view = viewOf([...RECORDED, { server: 'billing', state: 'failed', error: 'refused' }]);
    for (const { name, description } of toolTexts(view, everything)) {
      if (!['search_functions', 'execute_code', 'get_functions_description'].includes(name)) continue;
      expect(description).toContain('filesystem (14)');
      expect(description).toContain('Not available now: billing.');
    }
    const starting = viewOf([
      { server: 'os', state: 'connecting' },
      { server: 'billing', state: 'failed' },
    ]);
    for (const at of [0, 1, 2]) {
      expect(toolTexts(starting, everything)[at]!.description).toContain(
        'Connecting, ask again in a few seconds: os. Not available now: billing.',
      );
    }
    expect(toolTexts(viewOf([{ server: 'os', state: 'connecting' }]), everything)[0]!.description).not.toContain('Not');
    const many = Array.from({ length: 300 }, (_, at) => ({
      server: `a_server_with_a_long_name_${at}`,
      tools: [{ name: 'x', inputSchema: {} }],
    }));
    const down = many.map(({ server }) => ({ server: `down_${server}`, state: 'failed' as const }));
    const slow = many.map(({ server }) => ({ server: `slow_${server}`, state: 'connecting' as const }));
    for (const wide of [viewOfMany(10_000), viewOf([...many, ...down, ...slow]), viewOf([])]) {
      for (const { description } of toolTexts(wide, everything)) {
        expect(description.length).toBeLessThan(MAX_DESCRIPTION);
      }
    }
  });

  it('cost less than 1,500 tokens at connect in code-only mode, at any size', () => {
    for (const size of [0, 13, 50, 100, 250, 500, 5_000]) {
      expect(tokenCosts(viewOfMany(size)).connect, `${size} tools`).toBeLessThan(MAX_CONNECT_TOKENS);
    }
  });

  it('make a task by search and script cheaper than listing every tool, from fifty tools on', () => {
    for (const size of [50, 100, 250, 500]) {
      const { searchThenRun, byName, listAll } = tokenCosts(viewOfMany(size, 'filesystem'));
      expect(searchThenRun).toBeLessThan(listAll / 10);
      expect(byName).toBeLessThan(searchThenRun);
    }
  });
});

describe('the answer of search_functions', () => {
  const view = viewOf([...RECORDED, { server: 'billing', state: 'failed', error: 'refused' }]);
  const index = createFunctionIndex(view.functions);

  it.each(['javascript', 'typescript', 'lua', 'go'] as const)('in %s is as kept', async (language) => {
    const kept = [
      { name: 'merge_when_green', description: 'Merges a pull request once its checks pass. Waits.', hasCode: true },
      { name: 'review_style', description: 'How we review', hasCode: false },
    ];
    const answer = searchAnswer(view, index, { query: 'merge a pull request', language, limit: 4 }, kept);
    await expect(`${answer}\n`).toMatchFileSnapshot(`../golden/search/${language}.txt`);
  });

  it('says that nothing matches, and what there is', () => {
    const answer = searchAnswer(view, index, { query: 'xyzzyq', language: 'lua' });
    expect(answer).toBe(
      [
        'No function matches "xyzzyq". Try other words, or get_functions_description.',
        'No match: mongodb (27), notion (24), playwright (25), everything (13), filesystem (14), github (26), memory (9).',
        'billing (server billing) cannot be reached: refused. Its functions are not available now.',
      ].join('\n'),
    );
  });

  it('keeps to one server where one is asked for, and refuses an unknown one with the nearest', () => {
    const answer = searchAnswer(view, index, { query: 'create', language: 'javascript', server: 'server-memory' });
    expect(answer).toContain('memory.create_entities(');
    expect(answer).not.toMatch(/github|billing/);
    expect(() => searchAnswer(view, index, { query: 'x', language: 'lua', server: 'gitub' })).toThrow(
      'There is no server "gitub". Did you mean "github"?',
    );
  });

  it('names at most forty servers in its counts', () => {
    const wide = viewOfMany(10_000);
    const answer = searchAnswer(wide, createFunctionIndex(wide.functions), { query: 'create page', language: 'go' });
    expect(answer).toMatch(/No match: .* and \d+ more\./);
    expect(answer.length).toBeLessThan(10_000);
  });
});
