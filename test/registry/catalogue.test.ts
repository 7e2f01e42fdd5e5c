import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../lib/registry/catalogue.ts';
import type { ServerSnapshot } from '../../lib/registry/contract.ts';
import { viewCatalogue } from '../../lib/registry/view.ts';
import type { ToolDefinition, ToolExposure } from '../../lib/tool.ts';
import { upstreamConfig } from '../support/upstreams/connect.ts';
import { manyTools, recordedTools } from '../support/upstreams/fake-server.ts';

const names = ['server-everything', 'server-filesystem', 'server-memory', 'server-github', 'playwright-mcp'];
const upstreams = [...names, 'notion-mcp-server', 'mongodb-mcp-server'].map((name) =>
  upstreamConfig({ name, transport: 'stdio', command: 'x' }),
);
const snapshots = upstreams.map(({ name }) => connected(name, recordedTools(name)));

function connected(server: string, tools: ToolDefinition[]): ServerSnapshot {
  return { server, state: 'connected', tools, refreshedAt: 1 };
}

describe('the catalogue', () => {
  it('names every tool of seven recorded servers, none twice, none longer than 56 characters', () => {
    const { servers } = buildCatalogue(upstreams, snapshots);
    const tools = servers.flatMap((server) => server.tools);
    expect(tools).toHaveLength(snapshots.flatMap((snapshot) => snapshot.tools).length);
    expect(servers.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(new Set(tools.map(({ directName }) => directName)).size).toBe(tools.length);
    expect(tools.filter(({ directName }) => !/^[A-Za-z0-9_-]{1,56}$/.test(directName))).toEqual([]);
    expect(new Set(tools.map(({ namespace, snakeName }) => `${namespace}.${snakeName}`)).size).toBe(tools.length);
    expect(new Set(tools.map(({ namespace, camelName }) => `${namespace}.${camelName}`)).size).toBe(tools.length);
  });

  it('keeps definitions as they were listed', () => {
    const { servers } = buildCatalogue(upstreams, snapshots);
    expect(servers[5]?.tools.map(({ definition }) => definition)).toEqual(recordedTools('notion-mcp-server'));
  });

  it('shows a server of which nothing is known as connecting', () => {
    const { servers } = buildCatalogue(upstreams, snapshots.slice(1));
    expect(servers[0]).toMatchObject({ server: 'server-everything', state: 'connecting', tools: [] });
  });

  it('has the same version for the same content, whenever it was listed and in whatever order it came', () => {
    const { version } = buildCatalogue(upstreams, snapshots);
    const later = snapshots.map((snapshot) => ({ ...snapshot, refreshedAt: 2 })).reverse();
    expect(buildCatalogue(upstreams, later).version).toBe(version);
    const changed = snapshots.map((snapshot, i) => (i === 0 ? { ...snapshot, state: 'stale' as const } : snapshot));
    expect(buildCatalogue(upstreams, changed).version).not.toBe(version);
  });

  it('tells apart direct names that two servers would share', () => {
    const two = [
      upstreamConfig({ name: 'a', transport: 'stdio' }),
      upstreamConfig({ name: 'a__b', transport: 'stdio' }),
    ];
    const definition = (name: string): ToolDefinition => ({ name, inputSchema: {} });
    const { servers } = buildCatalogue(two, [
      connected('a', [definition('b__c')]),
      connected('a__b', [definition('c')]),
    ]);
    const [first, second] = servers.map(({ tools }) => tools[0]?.directName);
    expect(first).toMatch(/^a__b__c_[0-9a-f]{8}$/);
    expect(second).toMatch(/^a__b__c_[0-9a-f]{8}$/);
    expect(first).not.toBe(second);
  });

  it('says what a namespace takes from scripts', () => {
    const { servers } = buildCatalogue([upstreamConfig({ name: 'a', alias: 'math', transport: 'stdio' })], []);
    expect(servers[0]?.warnings).toEqual([
      `The namespace "math" is also a library's name: in Go, import "math" gives the tools instead of the standard package; in Lua, the tools are merged into the math table and win over functions of the same name.`,
    ]);
  });

  it('reports tools it cannot offer', () => {
    const [config] = [upstreamConfig({ name: 'a', transport: 'stdio' })];
    const twice = [...manyTools(1), ...manyTools(1)];
    const { servers } = buildCatalogue([config], [{ ...connected('a', twice), warnings: ['Odd.'] }]);
    expect(servers[0]?.tools).toHaveLength(1);
    expect(servers[0]?.warnings).toEqual(['Odd.', 'The tool "tool_0" is listed more than once; the first is used.']);
  });
});

describe('a view of the catalogue', () => {
  const config = [upstreamConfig({ name: 'a', transport: 'stdio' }), upstreamConfig({ name: 'b', transport: 'stdio' })];
  const catalogue = buildCatalogue(config, [
    connected('a', [...manyTools(4), ...manyTools(1)]),
    { server: 'b', state: 'failed', error: 'Down.', tools: [] },
  ]);
  const exposures: Record<string, ToolExposure> = { tool_0: 'none', tool_1: 'both', tool_2: 'proxy', tool_3: 'code' };
  const exposureOf = (_: string, tool: string) => exposures[tool] ?? 'none';

  const everybody = () => true;

  it('holds what may be called from code and directly, and hides the rest', () => {
    const view = viewCatalogue(catalogue, exposureOf, everybody, '');
    const namesOf = (tools: readonly { snakeName: string }[]) => tools.map(({ snakeName }) => snakeName);
    expect(namesOf(view.functions)).toEqual(['tool_1', 'tool_3']);
    expect(namesOf(view.proxies)).toEqual(['tool_1', 'tool_2']);
    expect(namesOf(view.servers[0]?.tools ?? [])).toEqual(['tool_1', 'tool_2', 'tool_3']);
  });

  it('says nothing of a hidden tool, not even in warnings', () => {
    expect(JSON.stringify(catalogue)).toContain('listed more than once');
    expect(JSON.stringify(viewCatalogue(catalogue, exposureOf, everybody, ''))).not.toContain('tool_0');
  });

  it('hides a server of which everything is closed, and shows one that is down to those who may know of it', () => {
    const namesOf = (mayKnowOf: (server: string) => boolean) =>
      viewCatalogue(catalogue, () => 'none', mayKnowOf, '').servers.map(({ server }) => server);
    expect(namesOf(everybody)).toEqual(['b']);
    expect(namesOf((server) => server !== 'b')).toEqual([]);
  });

  it('shows a server that was listed and has no tools, whoever may know of it', () => {
    const empty = buildCatalogue(config, [connected('a', []), { ...connected('b', []), state: 'stale' }]);
    const view = viewCatalogue(empty, exposureOf, () => false, '');
    expect(view.servers.map(({ server }) => server)).toEqual(['a', 'b']);
  });

  it('has a key of its own wherever what may be seen differs', () => {
    const keys = [
      viewCatalogue(catalogue, exposureOf, everybody, '').key,
      viewCatalogue(catalogue, () => 'both', everybody, '').key,
      viewCatalogue(catalogue, () => 'code', everybody, '').key,
      viewCatalogue(catalogue, () => 'code', everybody, 'ada').key,
      viewCatalogue(
        catalogue,
        () => 'code',
        () => false,
        '',
      ).key,
      viewCatalogue(buildCatalogue(config, []), () => 'code', everybody, '').key,
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(viewCatalogue(catalogue, exposureOf, everybody, '').key).toBe(keys[0]);
  });
});
