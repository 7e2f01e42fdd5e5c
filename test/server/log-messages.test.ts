import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { createGateway } from '../../lib/server/http.ts';
import { createMemorySessions } from '../../lib/session/memory.ts';
import type { RequestOptions } from '../../lib/upstream/contract.ts';
import { MODERN_META, messages, modern, openSession, post } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Environments with one store of sessions, before an upstream that logs at three levels with each call. */
function environments(count: number, holdsStreams = false, declares: JsonObject = { logging: {} }) {
  const seen: RequestOptions['client'][] = [];
  const answer = (_args: object, { client }: RequestOptions) => {
    seen.push(client);
    for (const level of ['debug', 'warning', 'emergency']) {
      client?.session?.notify?.('notifications/message', { level, data: level });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  };
  const sessions = createMemorySessions();
  const gateways = Array.from({ length: count }, () => {
    const services = stubServices({
      servers: { os: { tool: { answer } } },
      scripts: { 'os.tool': async ({ call }) => ({ ok: true, value: JSON.stringify((await call('os.tool')).ok) }) },
      overrides: { sessions, holdsStreams },
    });
    const { catalogue } = services;
    const capabilities = { tools: {}, resources: { subscribe: true }, ...declares };
    const logs = (servers: readonly object[]) => servers.map((one) => ({ ...one, capabilities }));
    services.catalogue = async (caller) => {
      const whole = await catalogue(caller);
      return { ...whole, servers: logs(whole.servers) as never };
    };
    const { view } = services;
    services.view = (known, caller) => ({ ...view(known, caller), servers: known.servers });
    return createGateway(services);
  });
  return { gateways, seen };
}

const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const callTool = request(2, 'tools/call', { name: 'os__tool' });
const said = (answer: { method?: string; params?: Record<string, unknown> }[]) =>
  answer.filter(({ method }) => method === 'notifications/message').map(({ params }) => params?.['data']);

describe('a session of the legacy eras where no stream is held', () => {
  it('is offered what can be kept there, and nothing of what cannot', async () => {
    const [gateway] = environments(1).gateways;
    const [answer] = await messages(await post(gateway!, INITIALIZE));
    expect(answer!.result['capabilities']).toEqual({ tools: {}, resources: {}, logging: {} });
  });

  it('sets a level in one environment and hears what its calls log in the others, from that level up', async () => {
    const { gateways, seen } = environments(3);
    const headers = await openSession(gateways[0]!);
    const level = request(1, 'logging/setLevel', { level: 'warning' });
    expect((await messages(await post(gateways[1]!, level, { headers })))[0]!.result).toEqual({});
    for (const gateway of gateways) {
      const answer = await messages(await post(gateway, callTool, { headers }));
      expect(said(answer)).toEqual(['warning', 'emergency']);
      expect(answer.at(-1)).toMatchObject({ id: 2, result: { content: [{ text: 'done' }] } });
    }
    expect(seen.map((client) => client?.logLevel)).toEqual(['warning', 'warning', 'warning']);
  });

  it('may change its level, which every environment knows', async () => {
    const { gateways } = environments(2);
    const headers = await openSession(gateways[0]!);
    for (const [level, expected] of [
      ['emergency', ['emergency']],
      ['debug', ['debug', 'warning', 'emergency']],
    ] as const) {
      await post(gateways[0]!, request(1, 'logging/setLevel', { level }), { headers });
      expect(said(await messages(await post(gateways[1]!, callTool, { headers })))).toEqual(expected);
    }
  });

  it('hears what the calls of a script log', async () => {
    const { gateways } = environments(2);
    const headers = await openSession(gateways[0]!);
    await post(gateways[0]!, request(1, 'logging/setLevel', { level: 'emergency' }), { headers });
    const script = request(3, 'tools/call', { name: 'execute_code', arguments: { code: 'os.tool' } });
    expect(said(await messages(await post(gateways[1]!, script, { headers })))).toEqual(['emergency']);
  });

  it('hears nothing it did not ask for, and is told which levels there are', async () => {
    const { gateways, seen } = environments(1);
    const headers = await openSession(gateways[0]!);
    expect(said(await messages(await post(gateways[0]!, callTool, { headers })))).toEqual([]);
    expect(seen).toEqual([undefined]);
    const [answer] = await messages(
      await post(gateways[0]!, request(1, 'logging/setLevel', { level: 'loud' }), { headers }),
    );
    expect(answer!.error).toEqual({ code: -32602, message: expect.stringContaining('debug, info, notice') });
  });
});

describe.each([false, true])('a request of the modern era (streams held: %s)', (holdsStreams) => {
  const call = (level?: string, name = 'os__tool', rest: object = {}) => ({
    name,
    ...rest,
    _meta: { ...MODERN_META, ...(level && { [LOG_LEVEL]: level }) },
  });

  it('hears what is logged for it where it asks for a level', async () => {
    const [gateway] = environments(1, holdsStreams).gateways;
    const [discovered] = await messages(await modern(gateway!, 'server/discover'));
    expect(discovered!.result['capabilities']).toMatchObject({ logging: {} });
    const answer = await messages(await modern(gateway!, 'tools/call', call('warning')));
    expect(said(answer)).toEqual(['warning', 'emergency']);
    expect(answer.at(-1)!.result['content']).toEqual([{ type: 'text', text: 'done' }]);
    const script = call('debug', 'execute_code', { arguments: { code: 'os.tool' } });
    expect(said(await messages(await modern(gateway!, 'tools/call', script)))).toEqual([
      'debug',
      'warning',
      'emergency',
    ]);
  });

  it('hears nothing where it does not ask, and sets no level by a request', async () => {
    const { gateways, seen } = environments(1, holdsStreams);
    expect(said(await messages(await modern(gateways[0]!, 'tools/call', call())))).toEqual([]);
    expect(seen[0]).toEqual({ capabilities: {} });
    expect((await modern(gateways[0]!, 'logging/setLevel', { level: 'info' })).status).toBe(404);
  });

  it('is asked nothing by what a script calls: the script could not pass it on', async () => {
    const { gateways, seen } = environments(1, holdsStreams);
    const { _meta, ...script } = call('info', 'execute_code', { arguments: { code: 'os.tool' } });
    const sampling = { ..._meta, 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
    await modern(gateways[0]!, 'tools/call', { ...script, _meta: sampling });
    await modern(gateways[0]!, 'tools/call', { ...call('info'), _meta: sampling });
    expect(seen.map((client) => client?.capabilities)).toEqual([{}, { sampling: {} }]);
  });

  it('has no connection of its own to a server that logs nothing', async () => {
    const { gateways, seen } = environments(1, holdsStreams, {});
    await modern(gateways[0]!, 'tools/call', call('debug'));
    await modern(gateways[0]!, 'tools/call', call('debug', 'execute_code', { arguments: { code: 'os.tool' } }));
    expect(seen).toEqual([undefined, undefined]);
  });

  it('has connections that no other user’s calls and no other level share', async () => {
    const { gateways, seen } = environments(1, holdsStreams);
    const as = (userId: string) => ({ caller: { userId, admin: false } });
    await modern(gateways[0]!, 'tools/call', call('info'), as('ada'));
    await modern(gateways[0]!, 'tools/call', call('info'), as('ada'));
    await modern(gateways[0]!, 'tools/call', call('info'), as('bob'));
    await modern(gateways[0]!, 'tools/call', call('debug'), as('bob'));
    await modern(gateways[0]!, 'tools/call', call('info'));
    const ids = seen.map((client) => client?.session?.id);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(4);
  });
});
