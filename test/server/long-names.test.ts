import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../lib/server/http.ts';
import { ownTools } from '../../lib/server/own-tools.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { MODERN_META, modern, openSession, post } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'long-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 'x'.repeat(1024 * 1024);
/** Characters that an answer which refuses a name may have, and a line of the log. */
const SHORT = 2000;

const logged: string[] = [];
const services = stubServices({
  servers: { os: { read_file: { answer: () => ({ content: [] }) } } },
  config: { store: { dir: folder, allow_delete: true } },
  scripts: { code: async () => ({ ok: true }) },
  overrides: {
    store: createDirectoryStore(folder),
    log: (_level, msg, fields) => void logged.push(`${msg} ${JSON.stringify(fields)}`),
  },
});
const { catalogue } = services;
services.catalogue = async (caller) => {
  const whole = await catalogue(caller);
  const offered = {
    resources: [],
    prompts: [],
    capabilities: { resources: { subscribe: true }, prompts: {}, completions: {} },
  };
  return { ...whole, servers: whole.servers.map((one) => ({ ...one, ...offered })) };
};
services.view = (known) => ({ key: '', servers: known.servers, functions: [], proxies: [] });
services.upstream = () => undefined;
const gateway = createGateway(services);

/** The arguments each tool needs, so that the one at hand is what is refused. */
const GOOD: Record<string, object> = {
  execute_code: { code: 'code' },
  search_functions: { query: 'read' },
  get_code: { name: 'stats' },
  delete_code: { name: 'stats' },
};

const calls: [string, string, object][] = [
  ...[...ownTools].flatMap(([name, { keys }]): [string, string, object][] => [
    ...keys
      .filter((key) => !['code', 'params', 'description', 'instructions', 'query', 'limit', 'minScore'].includes(key))
      .map((key): [string, string, object] => [
        `${name} with a long ${key}`,
        'tools/call',
        { name, arguments: { ...GOOD[name], [key]: LONG } },
      ]),
    [`${name} with a long key`, 'tools/call', { name, arguments: { ...GOOD[name], [LONG]: 1 } }],
  ]),
  ['a tool', 'tools/call', { name: LONG }],
  ['a tool of a server', 'tools/call', { name: `os__${LONG}` }],
  ['a prompt', 'prompts/get', { name: LONG }],
  ['a resource', 'resources/read', { uri: LONG }],
  ['a completion of a prompt', 'completion/complete', { ref: { type: 'ref/prompt', name: LONG } }],
  ['a completion of a resource', 'completion/complete', { ref: { type: 'ref/resource', uri: LONG } }],
  ['a kind of completion', 'completion/complete', { ref: { type: LONG } }],
  ['a method', LONG, {}],
];

async function answerTo(response: Response): Promise<string> {
  const text = await response.text();
  expect(text).toMatch(/error|isError/i);
  return text;
}

describe.each(calls)('a name of a million letters: %s', (_, method, params) => {
  it('is not repeated whole to a client of the modern era, nor in the log', async () => {
    logged.length = 0;
    const answer = await answerTo(await modern(gateway, method, params as Record<string, unknown>));
    expect(answer.length).toBeLessThan(SHORT);
    expect(logged.filter((line) => line.length > SHORT)).toEqual([]);
  });

  it('is not repeated whole to a client of the legacy eras', async () => {
    const headers = await openSession(gateway);
    const body = { jsonrpc: '2.0', id: 3, method, params };
    const answer = await answerTo(await post(gateway, body, { headers }));
    expect(answer.length).toBeLessThan(SHORT);
  });
});

const meta = (version: string) => ({ ...MODERN_META, 'io.modelcontextprotocol/protocolVersion': version });
const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'other' };

describe('a request that does not agree with its headers, or with any version', () => {
  it.each([
    ['the version', { ...list, params: { _meta: meta(LONG) } }, {}],
    ['the version, beside a header', { ...list, params: { _meta: meta(LONG) } }, modernHeaders],
    ['the method', { ...list, method: LONG, params: { _meta: meta('2026-07-28') } }, modernHeaders],
    ['the name', { ...list, method: 'tools/call', params: { name: LONG, _meta: meta('2026-07-28') } }, modernHeaders],
    [
      'the URI',
      { ...list, method: 'resources/read', params: { uri: LONG, _meta: meta('2026-07-28') } },
      { ...modernHeaders, 'mcp-method': 'resources/read' },
    ],
  ])('is not told %s of a million letters', async (_, body, headers) => {
    const response = await post(gateway, body, { headers });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(SHORT);
  });
});

describe('a client whose name has a million letters', () => {
  it('is kept and logged by the beginning of it', async () => {
    logged.length = 0;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: LONG, version: LONG } };
    const response = await post(gateway, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const session = await services.sessions.get(response.headers.get('mcp-session-id')!, Date.now());
    expect(session?.clientName).toBe(`${'x'.repeat(199)}…`);
    await modern(gateway, 'server/discover', {
      _meta: { 'io.modelcontextprotocol/clientInfo': { name: LONG, version: LONG } },
    });
    expect(logged.some((line) => line.startsWith('mcp discovered'))).toBe(true);
    expect(logged.filter((line) => line.length > SHORT)).toEqual([]);
  });
});
