import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { createGateway } from '../../lib/server/http.ts';
import { MCP_URL, MODERN_META, messages, modern, openSession, post } from '../support/mcp-requests.ts';
import { type StubOptions, stubServices } from '../support/stub-services.ts';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const servers = { os: { read_file: { answer: () => text('hello') } } };
const gatewayWith = (options: StubOptions = {}) => createGateway(stubServices({ servers, ...options }));
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const send = (gateway: ReturnType<typeof gatewayWith>, method: string, init: RequestInit = {}, url = MCP_URL) =>
  gateway(new Request(url, { method, ...init }), ANONYMOUS);
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: number; message: string } }).error;

describe('an endpoint', () => {
  it('answers a health check without sessions or origin rules', async () => {
    const response = await send(
      gatewayWith(),
      'GET',
      { headers: { origin: 'https://evil.example' } },
      'http://x/healthz',
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('serves /mcp/ as /mcp, without a redirect', async () => {
    const gateway = gatewayWith();
    const session = await openSession(gateway, '2025-11-25', { url: `${MCP_URL}/` });
    const response = await post(gateway, list, { headers: session, url: `${MCP_URL}/` });
    expect(response.status).toBe(200);
  });

  it('says where it is on any other path', async () => {
    const response = await post(gatewayWith(), list, { url: 'http://127.0.0.1:8000/other' });
    expect(response.status).toBe(404);
    expect((await errorOf(response)).message).toContain('/mcp');
  });

  it.each(['PUT', 'PATCH'])('refuses %s and names what is allowed', async (method) => {
    const response = await send(gatewayWith(), method, { body: '{}' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST, DELETE, OPTIONS');
  });

  it('does not offer GET where no streams are held', async () => {
    const response = await send(gatewayWith({ overrides: { holdsStreams: false } }), 'GET', {
      headers: { accept: 'text/event-stream' },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, DELETE, OPTIONS');
  });
});

describe('a body', () => {
  it.each(['text/plain', '', 'application/x-www-form-urlencoded'])('of type "%s" is refused with 415', async (type) => {
    const response = await post(gatewayWith(), list, { headers: { 'content-type': type } });
    expect(response.status).toBe(415);
  });

  it('may have a charset', async () => {
    const gateway = gatewayWith();
    const headers = { ...(await openSession(gateway)), 'content-type': 'application/json; charset=utf-8' };
    expect((await post(gateway, list, { headers })).status).toBe(200);
  });

  it('over the limit is refused with 413, declared or not', async () => {
    const gateway = gatewayWith({ config: { server: { max_body_bytes: 1000 } } });
    const big = { ...list, params: { pad: 'x'.repeat(2000) } };
    expect((await post(gateway, big)).status).toBe(413);
    const chunks = new Blob([JSON.stringify(big)]).stream();
    const init = { body: chunks, duplex: 'half', headers: { 'content-type': 'application/json' } };
    expect((await send(gateway, 'POST', init as RequestInit)).status).toBe(413);
  });

  it('of 5 MB is refused by default, one of 3 MB is taken', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const padded = (mb: number) => ({ ...list, params: { _meta: { pad: 'x'.repeat(mb * 1024 * 1024) } } });
    expect((await post(gateway, padded(5), { headers })).status).toBe(413);
    expect((await post(gateway, padded(3), { headers })).status).toBe(200);
  });

  it.each(['{"jsonrpc":', 'hello', ''])('that is not JSON (%j) gets a parse error', async (body) => {
    const response = await post(gatewayWith(), body);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).code).toBe(-32700);
  });

  it.each(['null', '3', '"x"', '{}', '{"jsonrpc":"1.0","id":1,"method":"x"}'])(
    'that is no JSON-RPC (%s) is refused',
    async (body) => {
      const response = await post(gatewayWith(), body);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).code).toBe(-32600);
    },
  );
});

describe('an origin', () => {
  it.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1:5173', 200],
    ['https://evil.example', 403],
    ['null', 403],
  ])('%s gets %i on loopback by default', async (origin, status) => {
    const gateway = gatewayWith({ config: { server: { address: '127.0.0.1:8000' } } });
    const headers = await openSession(gateway);
    const response = await post(gateway, list, { headers: { ...headers, origin } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(status === 200 ? origin : null);
  });

  it('is allowed by name only where origins are configured', async () => {
    const gateway = gatewayWith({ config: { server: { allowed_origins: ['https://chat.example'] } } });
    const headers = await openSession(gateway);
    const from = (origin: string) => post(gateway, list, { headers: { ...headers, origin } });
    expect((await from('https://chat.example')).status).toBe(200);
    expect((await from('http://localhost:3000')).status).toBe(403);
  });

  it('gets its preflight answered', async () => {
    const gateway = gatewayWith({ config: { server: { allowed_origins: ['https://chat.example'] } } });
    const headers = {
      origin: 'https://chat.example',
      'access-control-request-headers': 'authorization, mcp-session-id',
    };
    const response = await send(gateway, 'OPTIONS', { headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://chat.example');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, mcp-session-id');
    expect((await send(gateway, 'OPTIONS', { headers: { ...headers, origin: 'https://evil.example' } })).status).toBe(
      403,
    );
  });

  it.each([
    ['127.0.0.1:8000', 'localhost:8000', 200],
    ['127.0.0.1:8000', '[::1]:8000', 200],
    ['127.0.0.1:8000', 'rebound.example:8000', 403],
    [':8000', 'gateway.example', 200],
  ])('listening on %s, the host %s gets %i', async (address, host, status) => {
    const gateway = gatewayWith({ config: { server: { address } } });
    const headers = await openSession(gateway, '2025-11-25', { url: `http://${host}/mcp` }).catch(() => ({}));
    expect((await post(gateway, list, { headers, url: `http://${host}/mcp` })).status).toBe(status);
  });
});

describe('a legacy session', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (version) => {
    const gateway = gatewayWith();
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const response = await post(gateway, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect((await response.json()) as object).toMatchObject({ id: 0, result: { protocolVersion: version } });
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{22,}$/);
  });

  it('is missing: 400 with what to do', async () => {
    const response = await post(gatewayWith(), list);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('initialize');
  });

  it('is unknown, ended or of another user: 404/-32001', async () => {
    const gateway = gatewayWith();
    const ada = { userId: 'ada', admin: false };
    const headers = await openSession(gateway, '2025-11-25', { caller: ada });
    for (const sent of [
      { headers: { 'mcp-session-id': 'unknown' } },
      { headers, caller: ANONYMOUS },
      { headers, caller: { userId: 'bob', admin: false } },
    ]) {
      const response = await post(gateway, list, sent);
      expect(response.status).toBe(404);
      expect((await errorOf(response)).code).toBe(-32001);
    }
    expect((await post(gateway, list, { headers, caller: ada })).status).toBe(200);
    const ended = await gateway(new Request(MCP_URL, { method: 'DELETE', headers }), ada);
    expect(ended.status).toBe(204);
    expect((await post(gateway, list, { headers, caller: ada })).status).toBe(404);
  });

  it('ends once, even where two ask for it at the same time', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const ended = await Promise.all([send(gateway, 'DELETE', { headers }), send(gateway, 'DELETE', { headers })]);
    expect(ended.map(({ status }) => status)).toEqual([204, 404]);
    expect((await errorOf(ended[1]!)).code).toBe(-32001);
  });

  it('expires', async () => {
    let now = Date.now();
    const gateway = gatewayWith({ overrides: { now: () => now } });
    const headers = await openSession(gateway);
    now += 25 * 60 * 60 * 1000;
    expect((await post(gateway, list, { headers })).status).toBe(404);
  });

  it('refuses a version header it does not know', async () => {
    const gateway = gatewayWith();
    const headers = { ...(await openSession(gateway)), 'mcp-protocol-version': '1999-01-01' };
    expect((await post(gateway, list, { headers })).status).toBe(400);
  });

  it('takes notifications with 202 and no body', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const response = await post(gateway, { jsonrpc: '2.0', method: 'notifications/initialized' }, { headers });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
  });

  it('answers an unknown method with -32601, and a ping', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const response = await post(gateway, { jsonrpc: '2.0', id: 5, method: 'nope', params: {} }, { headers });
    expect((await errorOf(response)).code).toBe(-32601);
    expect(await messages(await post(gateway, { jsonrpc: '2.0', id: 6, method: 'ping' }, { headers }))).toMatchObject([
      { id: 6, result: {} },
    ]);
  });

  it('takes batches in 2025-03-26 only, capped', async () => {
    const gateway = gatewayWith();
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const old = await openSession(gateway, '2025-03-26');
    const answer = await post(gateway, [ping(1), ping(2)], { headers: old });
    expect(await answer.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
    for (const [headers, batch] of [
      [await openSession(gateway, '2025-06-18'), [ping(1)]],
      [old, []],
      [old, Array.from({ length: 51 }, (_, i) => ping(i))],
    ] as const) {
      const response = await post(gateway, batch, { headers });
      expect(response.status).toBe(400);
      expect((await errorOf(response)).code).toBe(-32600);
    }
  });

  it('streams progress where a token asks for it, ending with the answer', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const params = { name: 'os__read_file', arguments: {}, _meta: { progressToken: 'p' } };
    const response = await post(gateway, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await messages(response)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', message: 'os__read_file' } },
      { id: 2, result: text('hello') },
    ]);
  });

  it('answers JSON to a client that reads nothing else, progress token or not', async () => {
    const gateway = gatewayWith();
    const headers = { ...(await openSession(gateway)), accept: 'application/json' };
    const params = { name: 'os__read_file', arguments: {}, _meta: { progressToken: 'p' } };
    const response = await post(gateway, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, { headers });
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  it('has a stream of its own for changed lists', async () => {
    const services = stubServices({ servers, later: {} });
    const gateway = createGateway(services);
    const headers = { ...(await openSession(gateway)), accept: 'text/event-stream' };
    const response = await send(gateway, 'GET', { headers });
    expect(response.status).toBe(200);
    services.announce(['tools']);
    await new Promise(setImmediate);
    expect((await send(gateway, 'DELETE', { headers })).status).toBe(204);
    expect(await messages(response)).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
  });

  it('cancels a call by notification', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const never = {
      answer: (_args: object, { signal }: { signal?: AbortSignal }) => {
        started.resolve(signal!);
        return new Promise<never>((_resolve, reject) =>
          signal!.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    };
    const gateway = gatewayWith({ servers: { os: { wait: never } } });
    const headers = await openSession(gateway);
    const answer = post(
      gateway,
      { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'os__wait' } },
      { headers },
    );
    const signal = await started.promise;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
    expect((await post(gateway, cancel, { headers })).status).toBe(202);
    expect(signal.aborted).toBe(true);
    expect((await answer).status).toBe(202);
  });
});

describe('the modern era', () => {
  it('discovers without a session', async () => {
    const [answer] = await messages(await modern(gatewayWith(), 'server/discover'));
    expect(answer!.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
    });
  });

  it('lists tools once, privately cacheable', async () => {
    const [answer] = await messages(await modern(gatewayWith(), 'tools/list'));
    expect(answer!.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' });
    expect(answer!.result.ttlMs).toBeGreaterThan(0);
    expect(answer!.result.nextCursor).toBeUndefined();
  });

  it.each([
    [
      'a version header without the envelope',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      undefined,
      -32602,
    ],
    [
      'a header that differs from the body',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      MODERN_META,
      -32020,
    ],
    [
      'a version not known',
      { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
      { ...MODERN_META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      -32022,
    ],
  ])('refuses %s', async (_what, headers, meta, code) => {
    const body = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: meta ? { _meta: meta } : {} };
    const response = await post(gatewayWith(), body, { headers: headers as Record<string, string> });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).code).toBe(code);
  });

  it('answers an unknown method with 404/-32601', async () => {
    const response = await modern(gatewayWith(), 'nope/nope');
    expect(response.status).toBe(404);
    expect((await errorOf(response)).code).toBe(-32601);
  });

  it('knows no subscriptions where no streams are held', async () => {
    const gateway = gatewayWith({ overrides: { holdsStreams: false } });
    const response = await modern(gateway, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(response.status).toBe(404);
    const [answer] = await messages(await modern(gateway, 'server/discover'));
    expect(answer!.result.capabilities).toEqual({ tools: {} });
  });

  it('tells subscribers of changed lists', async () => {
    const services = stubServices({ servers, later: {} });
    const gateway = createGateway(services);
    const abort = new AbortController();
    const response = await modern(
      gateway,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { signal: abort.signal },
    );
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('acknowledged');
    services.announce(['tools']);
    expect((await reader.read()).value).toContain('notifications/tools/list_changed');
    abort.abort();
  });

  it('cancels a call when the connection closes', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const answer = (_args: object, { signal }: { signal?: AbortSignal }) => {
      started.resolve(signal!);
      return new Promise<never>(() => {});
    };
    const gateway = gatewayWith({ servers: { os: { wait: { answer } } } });
    const abort = new AbortController();
    void modern(gateway, 'tools/call', { name: 'os__wait' }, { signal: abort.signal });
    const signal = await started.promise;
    abort.abort();
    expect(signal.aborted).toBe(true);
  });
});

describe('an internal error', () => {
  it('tells a request id and nothing else', async () => {
    const lines: string[] = [];
    const overrides = {
      catalogue: () => Promise.reject(new Error('secret path /etc')),
      log: (_level: string, msg: string, fields?: object) => void lines.push(`${msg} ${JSON.stringify(fields)}`),
    };
    const response = await modern(gatewayWith({ overrides }), 'tools/list');
    expect(response.status).toBe(500);
    const { message } = await errorOf(response);
    expect(message).not.toContain('secret');
    expect(lines.join('\n')).not.toContain('secret');
  });
});
