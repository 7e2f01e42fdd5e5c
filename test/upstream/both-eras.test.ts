import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ToolDefinition } from '../../lib/tool.ts';
import { until } from '../support/until.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { type FakeServer, MODERN, manyTools, RpcFailure, recordedTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 5000 };

const odd = {
  name: 'odd tool/№1',
  title: 'Odd',
  description: 'Has what no schema knows.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { a: { $ref: '#/$defs/a' } },
  },
  annotations: { readOnlyHint: true, 'x-cost': 3 },
  icons: [{ src: 'data:,', sizes: ['any'], theme: 'dark' }],
  execution: { taskSupport: 'optional' },
  _meta: { 'example.com/owner': 'us' },
  'x-unknown': [1, { deep: null }],
} as unknown as ToolDefinition;

const oddResult: JsonObject = {
  content: [
    { type: 'text', text: 'a', annotations: { audience: ['user'], 'x-note': 1 } },
    { type: 'hologram', frames: [1, 2] },
    { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3 },
  ],
  structuredContent: [1, 2, 3],
  'x-trailer': true,
  _meta: { 'example.com/took': 12 },
};

const cases = (['legacy', 'modern'] as const).flatMap((era) =>
  (['json', 'sse'] as const).map((respond) => ({ era, respond })),
);

describe.each(cases)('an upstream of the $era era that answers in $respond', (options) => {
  it('lists its tools and answers calls losslessly', async () => {
    const server: FakeServer = { tools: [odd, ...recordedTools('notion-mcp-server')], call: () => oddResult };
    await using running = await startHttp(server, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    expect(await upstream.listTools(asked)).toEqual(server.tools);
    expect(await upstream.callTool({ name: odd.name, arguments: {} }, asked)).toEqual(oddResult);
  });

  it('is called under the original name with the arguments as given', async () => {
    await using running = await startHttp({ tools: [odd] }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const args = { text: 'ё\u2028"', nothing: null, deep: [{ a: [] }], __proto__x: 1e21 };
    const { content } = await upstream.callTool({ name: odd.name, arguments: args }, asked);
    expect(JSON.parse(String(content?.[0]?.['text']))).toEqual({ called: odd.name, arguments: args });
  });

  it('is read to its last page', async () => {
    await using running = await startHttp({ tools: manyTools(300), pageSize: 10 }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    expect((await upstream.listTools(asked)).map(({ name }) => name)).toEqual(manyTools(300).map(({ name }) => name));
    expect(running.count('tools/list')).toBe(30);
  });

  it('is read no further when a page cursor repeats, with a warning', async () => {
    const server = { tools: manyTools(30), pageSize: 10, nextCursor: () => '10' };
    await using running = await startHttp(server, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const warnings: string[] = [];
    const tools = await upstream.listTools({ ...asked, onWarning: (text) => warnings.push(text) });
    expect(tools).toHaveLength(20);
    expect(warnings).toEqual(['Its list of tools repeats the page cursor after page 2; reading stopped there.']);
  });

  it('fails a call with its own text, once, and keeps its JSON-RPC error', async () => {
    const call = () => {
      throw new RpcFailure(-32042, 'You must log in first', { loginUrl: 'https://a.example' });
    };
    await using running = await startHttp({ tools: [odd], call }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool({ name: odd.name, arguments: {} }, asked)).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'You must log in first',
      rpc: { code: -32042, message: 'You must log in first', data: { loginUrl: 'https://a.example' } },
    });
  });

  it('uses JSON-RPC ids that begin at random and never repeat', async () => {
    await using running = await startHttp({ tools: [odd] }, options);
    const first: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      await using upstream = connectTo({ transport: 'http', url: running.url });
      await upstream.listTools(asked);
      await upstream.listTools(asked);
      const ids = running.seen.splice(0).flatMap(({ message: { id } }) => (typeof id === 'number' ? [id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids[0]).toBeGreaterThan(1000);
      first.push(ids[0]);
    }
    expect(first[0]).not.toBe(first[1]);
  });

  it('is asked for progress only by those who want it, under a token of ours', async () => {
    await using running = await startHttp({ tools: [odd] }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const meta = { progressToken: 'mine', traceparent: '00-1-2-01', 'io.modelcontextprotocol/protocolVersion': 'x' };
    await upstream.callTool({ name: odd.name, arguments: {} }, { ...asked, meta });
    await upstream.callTool({ name: odd.name, arguments: {} }, { ...asked, meta, onProgress: () => {} });
    const [without, withProgress] = running.seen
      .filter(({ method }) => method === 'tools/call')
      .map(({ message }) => message['params'] as { _meta: JsonObject });
    expect(without?._meta).not.toHaveProperty('progressToken');
    expect(without?._meta).toMatchObject({ traceparent: '00-1-2-01' });
    expect(without?._meta['io.modelcontextprotocol/protocolVersion']).toBe(
      options.era === 'modern' ? MODERN : undefined,
    );
    expect(withProgress?._meta['progressToken']).toEqual(expect.any(Number));
  });

  it('hears of a call that is given up', async () => {
    const server: FakeServer = { tools: [odd], call: () => new Promise(() => {}) };
    let closed = false;
    await using running = await startHttp(server, {
      ...options,
      intercept: ({ method }, response) => {
        if (method === 'tools/call') response.on('close', () => (closed = true));
        return false;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const giveUp = new AbortController();
    const call = upstream.callTool({ name: odd.name, arguments: {} }, { ...asked, signal: giveUp.signal });
    await until(() => running.count('tools/call') === 1);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => closed && (options.era === 'modern' || running.count('notifications/cancelled') === 1));
  });

  it('gets a bounded time for each call', async () => {
    await using running = await startHttp({ tools: [odd], call: () => new Promise(() => {}) }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.listTools(asked);
    await expect(
      upstream.callTool({ name: odd.name, arguments: {} }, { ...asked, timeoutMs: 100 }),
    ).rejects.toMatchObject({
      code: 'call_timeout',
      message: expect.stringMatching(
        /did not answer within \d+ ms\. The call may have run: check before repeating it\.$/,
      ),
    });
  });

  it('tells when its lists change', async () => {
    await using running = await startHttp({ tools: [odd] }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const told: string[] = [];
    upstream.onListChanged((kind) => told.push(kind));
    await upstream.listTools(asked);
    await until(() => running.streams() > 0);
    running.notify('notifications/tools/list_changed');
    await until(() => told.length > 0);
    expect(told).toEqual(['tools']);
  });

  it('is not held by an open stream when nobody listens', async () => {
    await using running = await startHttp({ tools: [odd] }, options);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.listTools(asked);
    await upstream.listTools(asked);
    expect(running.streams()).toBe(0);
  });
});
