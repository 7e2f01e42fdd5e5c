import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { InboundClient } from '../../lib/upstream/contract.ts';
import { fixtureUpstream } from '../e2e/conformance/suite.ts';
import { until } from '../support/until.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { type FakeServer, manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 10_000 };
const children: Parameters<typeof fixtureUpstream>[1] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** A client session that cannot be asked anything, and what it is told. */
function hearing(id: string, logLevel?: string) {
  const told: [string, JsonObject][] = [];
  const session = { id, notify: (method: string, params: JsonObject) => void told.push([method, params]) };
  const client: InboundClient = { capabilities: {}, session, ...(logLevel !== undefined && { logLevel }) };
  return { client, told, data: () => told.map(([, params]) => params['data']) };
}

const LINES = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

describe.each(['stdio', 'http'] as const)('what a server over %s logs (http: modern era)', (fixture) => {
  it('reaches the session whose call it is, from its level up', async () => {
    await using upstream = connectTo(await fixtureUpstream(fixture, children));
    const call = { name: 'test_tool_with_logging', arguments: {} };
    const loud = hearing('loud', 'info');
    const quiet = hearing('quiet', 'error');
    await Promise.all([loud, quiet].map(({ client }) => upstream.callTool(call, { ...asked, client })));
    await upstream.callTool(call, asked);
    expect(loud.data()).toEqual(LINES);
    expect(quiet.data()).toEqual([]);
  });

  it('follows a level that changes', async () => {
    await using upstream = connectTo(await fixtureUpstream(fixture, children));
    const call = { name: 'test_tool_with_logging', arguments: {} };
    const { client, data } = hearing('a', 'error');
    await upstream.callTool(call, { ...asked, client });
    await upstream.callTool(call, { ...asked, client: { ...client, logLevel: 'debug' } });
    expect(data()).toEqual(LINES);
  });
});

describe('a question of a server of the modern era', () => {
  it('fails the call of a session that only hears, and comes back to one whose sender can be asked', async () => {
    const inputRequests = { q: { method: 'elicitation/create', params: { message: 'Who?' } } };
    const server: FakeServer = {
      tools: manyTools(1),
      call: () => ({ resultType: 'input_required', inputRequests, requestState: 's' }) as never,
    };
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const call = { name: 'tool_0', arguments: {} };
    const { client } = hearing('a', 'info');
    await expect(upstream.callTool(call, { ...asked, client })).rejects.toMatchObject({ code: expect.any(String) });
    const askable = { ...client, capabilities: { elicitation: {} } };
    expect(await upstream.callTool(call, { ...asked, client: askable })).toMatchObject({ inputRequests });
  });
});

describe('the level of a session', () => {
  const server = (methods: NonNullable<FakeServer['methods']> = {}): FakeServer => ({
    tools: manyTools(1),
    capabilities: { tools: {}, logging: {} },
    methods: { 'logging/setLevel': () => ({}), ...methods },
  });
  const call = { name: 'tool_0', arguments: {} };
  const { client } = hearing('a', 'warning');

  it('is told once a connection, before its first call, and anew to a server that has forgotten us', async () => {
    await using running = await startHttp(server());
    await using upstream = connectTo({ transport: 'http', url: running.url });
    for (let turn = 0; turn < 3; turn++) await upstream.callTool(call, { ...asked, client });
    expect(running.count('logging/setLevel')).toBe(1);
    running.forgetSessions();
    await upstream.callTool(call, { ...asked, client });
    expect(running.count('tools/call')).toBe(5);
    const methods = running.seen.map(({ method }) => method).filter((name) => /setLevel|call/.test(name));
    expect(methods.slice(-2)).toEqual(['logging/setLevel', 'tools/call']);
    expect(running.seen.find(({ method }) => method === 'logging/setLevel')?.message).toMatchObject({
      params: { level: 'warning' },
    });
  });

  it('is not told to a server that has no log, and a refusal harms no call', async () => {
    const refusing = server({
      'logging/setLevel': () => {
        throw new Error('no');
      },
    });
    await using running = await startHttp(refusing);
    await using silent = await startHttp({ ...refusing, capabilities: { tools: {} } });
    for (const { url, count } of [running, silent]) {
      await using upstream = connectTo({ transport: 'http', url });
      for (let turn = 0; turn < 2; turn++) await upstream.callTool(call, { ...asked, client });
      expect(count('tools/call')).toBe(2);
    }
    expect([running.count('logging/setLevel'), silent.count('logging/setLevel')]).toEqual([1, 0]);
  });
});

describe.each(['legacy', 'modern'] as const)('a resource of a server of the %s era', (era) => {
  const server: FakeServer = {
    tools: [],
    capabilities: { resources: { subscribe: true } },
    methods: { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) },
  };
  const updated = 'notifications/resources/updated';

  it('is watched by the session that subscribes, until it goes', async () => {
    await using running = await startHttp(server, { era });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const { client, told } = hearing('a');
    expect(await upstream.request('resources/subscribe', { uri: 'a://1' }, { ...asked, client })).toEqual({});
    await until(() => running.streams() === 1);
    running.notify(updated, { uri: 'a://1' });
    await until(() => told.length > 0);
    expect(told).toEqual([[updated, expect.objectContaining({ uri: 'a://1' })]]);
    await upstream.endSession('a');
    await until(() => running.streams() === 0);
  });

  it('is watched once however often it is asked for, and no more when taken back', async () => {
    await using running = await startHttp(server, { era });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const { client } = hearing('a');
    const ask = (method: string) => upstream.request(method, { uri: 'a://1' }, { ...asked, client });
    await Promise.all([ask('resources/subscribe'), ask('resources/subscribe')]);
    await until(() => running.streams() === 1);
    await ask('resources/unsubscribe');
    const left = era === 'modern' ? 0 : 1;
    await until(() => running.streams() === left);
    await ask('resources/subscribe');
    await until(() => running.streams() === 1);
  });
});

describe('a server of the modern era that tells of no updates', () => {
  it('refuses to be subscribed to, as one that does not know the method', async () => {
    const intercept = (seen: { method: string; message: JsonObject }, response: ServerResponse) => {
      if (seen.method !== 'subscriptions/listen') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const params = {
        notifications: {},
        _meta: { 'io.modelcontextprotocol/subscriptionId': seen.message['id'] },
      };
      const message = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      return true;
    };
    await using running = await startHttp({ tools: [] }, { era: 'modern', intercept });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const ask = upstream.request('resources/subscribe', { uri: 'a://1' }, { ...asked, client: hearing('a').client });
    await expect(ask).rejects.toMatchObject({ code: 'tool_failed', rpc: { code: -32601 } });
  });
});
