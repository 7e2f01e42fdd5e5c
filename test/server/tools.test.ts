import { describe, expect, it } from 'vitest';
import { createGateway } from '../../lib/server/http.ts';
import type { ToolResult } from '../../lib/tool.ts';
import type { RequestOptions } from '../../lib/upstream/contract.ts';
import { UpstreamError } from '../../lib/upstream/upstream-error.ts';
import { MODERN_META, messages, modern, openSession, post } from '../support/mcp-requests.ts';
import { type StubOptions, type StubTool, stubServices } from '../support/stub-services.ts';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

/** A gateway with one tool, `os__tool`, that answers so. */
function gatewayOf(answer: StubTool, options: StubOptions & { outputSchema?: object } = {}) {
  const definition = options.outputSchema ? { outputSchema: options.outputSchema as never } : {};
  return createGateway(stubServices({ servers: { os: { tool: { definition, answer } } }, ...options }));
}

async function callIn(
  era: 'legacy' | 'modern',
  gateway: ReturnType<typeof gatewayOf>,
  params: Record<string, unknown>,
) {
  if (era === 'modern') return (await messages(await modern(gateway, 'tools/call', params))).at(-1)!;
  const headers = await openSession(gateway);
  return (await messages(await post(gateway, { jsonrpc: '2.0', id: 3, method: 'tools/call', params }, { headers }))).at(
    -1,
  )!;
}

describe.each(['legacy', 'modern'] as const)('a direct tool in the %s era', (era) => {
  it('gives its result with every unknown field and kind of content', async () => {
    const result: ToolResult = {
      content: [
        { type: 'text', text: 'x', annotations: { audience: ['user'], novel: 1 }, novel: true },
        { type: 'hologram', beams: [1, 2] },
      ],
      structuredContent: { a: 1 },
      isError: true,
      _meta: { 'example.com/x': 1 },
      novel: { deep: [1] },
    };
    const answer = await callIn(
      era,
      gatewayOf(() => structuredClone(result)),
      { name: 'os__tool' },
    );
    expect(answer.result).toMatchObject(result);
    expect(answer.result.content).toEqual(result.content);
  });

  it('brings a list in structured content into the shape of the era', async () => {
    const outputSchema = { type: 'array', items: { type: 'number' } };
    const gateway = gatewayOf(() => ({ content: [], structuredContent: [1, 2] }), { outputSchema });
    const answer = await callIn(era, gateway, { name: 'os__tool' });
    expect(answer.result.structuredContent).toEqual(era === 'modern' ? [1, 2] : { result: [1, 2] });
  });

  it('gives a result without content an empty one', async () => {
    const answer = await callIn(
      era,
      gatewayOf(() => ({ structuredContent: { a: 1 } })),
      { name: 'os__tool' },
    );
    expect(answer.result).toMatchObject({ content: [], structuredContent: { a: 1 } });
  });

  it("gives an upstream's own protocol error unchanged", async () => {
    const error = { code: -32602, message: 'bad path', data: { path: '/' } };
    const gateway = gatewayOf(() => Promise.reject(new UpstreamError(error)));
    expect((await callIn(era, gateway, { name: 'os__tool' })).error).toEqual(error);
  });

  it("passes on trace context and what is the client's own in _meta, and nothing of the envelope", async () => {
    let seen: RequestOptions | undefined;
    const gateway = gatewayOf((_args, options) => {
      seen = options;
      return text('ok');
    });
    const own = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'example.com/mine': { a: 1 },
    };
    await callIn(era, gateway, { name: 'os__tool', _meta: { ...own, progressToken: 5 } });
    expect(seen!.meta).toEqual(own);
  });

  it('passes progress on under the token of the client, rising only, and nothing after the answer', async () => {
    let late: RequestOptions['onProgress'];
    const gateway = gatewayOf((_args, { onProgress }) => {
      late = onProgress;
      for (const progress of [1, 2, 2, 1, 3]) onProgress!({ progress, total: 3, message: `at ${progress}` });
      return text('ok');
    });
    const params = { name: 'os__tool', _meta: { progressToken: 'mine' } };
    const response =
      era === 'modern'
        ? await modern(gateway, 'tools/call', params)
        : await post(
            gateway,
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
            { headers: await openSession(gateway) },
          );
    const all = await messages(response);
    late!({ progress: 99 });
    expect(all.slice(0, -1).map(({ params: told }) => [told!.progressToken, told!.progress, told!.total])).toEqual([
      ['mine', 1, 3],
      ['mine', 2, 3],
      ['mine', 3, 3],
    ]);
    expect(all.at(-1)!.result.content).toEqual(text('ok').content);
  });

  it('that is unknown is refused with the nearest known one', async () => {
    const answer = await callIn(
      era,
      gatewayOf(() => text('')),
      { name: 'os__tol' },
    );
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('os__tool') });
  });

  it('that is closed to the caller is refused as if it were not there', async () => {
    const gateway = gatewayOf(() => text('secret'), { exposure: () => 'none' });
    const answer = await callIn(era, gateway, { name: 'os__tool' });
    expect(answer.error).toEqual({ code: -32602, message: 'Unknown tool: os__tool; tools/list shows what there is' });
  });
});

describe('a script that reports progress', () => {
  it('tells one step a call, with the name of the function', async () => {
    const scripts = {
      three: async ({ call }: { call: (name: string) => Promise<unknown> }) => {
        for (let i = 0; i < 3; i++) await call('os.tool');
        return { ok: true, value: '7' };
      },
    };
    const gateway = gatewayOf(() => text('ok'), { scripts: scripts as never });
    const params = { name: 'execute_code', arguments: { code: 'three' }, _meta: { progressToken: 1 } };
    const all = await messages(await modern(gateway, 'tools/call', params));
    expect(all.slice(0, -1).map(({ params: told }) => [told!.progress, told!.message])).toEqual([
      [1, 'os.tool'],
      [2, 'os.tool'],
      [3, 'os.tool'],
    ]);
  });

  it('is stopped when its client closes the connection', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const scripts = {
      wait: async ({ signal }: { signal: AbortSignal }) => {
        started.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { ok: false };
      },
    };
    const gateway = gatewayOf(() => text('ok'), { scripts: scripts as never });
    const abort = new AbortController();
    void modern(gateway, 'tools/call', { name: 'execute_code', arguments: { code: 'wait' } }, { signal: abort.signal });
    const signal = await started.promise;
    abort.abort();
    expect(signal.aborted).toBe(true);
  });
});

describe('our own tools', () => {
  const gateway = gatewayOf(() => text('ok'));
  const ask = async (name: string, args: object = {}) => {
    const { result } = await callIn('modern', gateway, { name, arguments: args });
    return { text: (result.content as { text: string }[])[0]!.text, isError: result.isError ?? false };
  };

  it.each([
    ['list_code', {}, 'store_disabled'],
    ['get_code', { name: 'x' }, 'store_disabled'],
    ['delete_code', { name: 'x' }, 'store_disabled'],
    ['search_functions', {}, 'invalid_arguments: query is missing'],
    ['search_functions', { query: 5 }, 'invalid_arguments: query must be a string'],
    ['get_functions_description', { language: 'perl' }, 'invalid_arguments: language must be one of'],
    ['get_functions_description', { language: 'go' }, 'language_disabled'],
    ['get_functions_description', { language: 'lua', detail: 'all' }, 'invalid_arguments: detail'],
    ['get_functions_raw', { server: 'oss' }, 'invalid_arguments'],
  ])('%s of %j answers %s', async (name, args, told) => {
    const answer = await ask(name, args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(told) });
  });

  it("tell each server's state", async () => {
    expect(JSON.parse((await ask('list_servers')).text)).toEqual([
      {
        name: 'os',
        alias: null,
        namespace: 'os',
        transport: 'stdio',
        state: 'connected',
        tools: 1,
        toolNames: ['tool'],
        expose: 'both',
        refreshedAt: '1970-01-01T00:00:00.000Z',
        warnings: [],
      },
    ]);
  });

  it('give the raw catalogue, of one server or all', async () => {
    const raw = [
      {
        server: 'os',
        alias: null,
        namespace: 'os',
        tool: 'tool',
        originalName: 'tool',
        description: '',
        inputSchema: { type: 'object' },
        outputSchema: null,
      },
    ];
    expect(JSON.parse((await ask('get_functions_raw')).text)).toEqual(raw);
    expect(JSON.parse((await ask('get_functions_raw', { server: 'os' })).text)).toEqual(raw);
  });
});

describe('a question of a modern upstream', () => {
  const request = {
    resultType: 'input_required',
    inputRequests: { q: { method: 'elicitation/create', params: {} } },
    requestState: 'upstream-state',
  };
  const ada = { userId: 'ada', admin: false };

  function setup() {
    let now = 1_000_000;
    const calls: object[] = [];
    const services = stubServices({
      servers: { os: { tool: { answer: () => text('') } } },
      overrides: { now: () => now },
    });
    services.upstream = () =>
      ({
        callTool: async (call: { inputResponses?: object; requestState?: string }) => {
          calls.push({ inputResponses: call.inputResponses, requestState: call.requestState });
          return call.inputResponses ? text('thanks') : request;
        },
      }) as never;
    const gateway = createGateway(services);
    const capabilities = {
      _meta: { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
    };
    const call = async (rest: object = {}, caller = ada) =>
      (
        await messages(await modern(gateway, 'tools/call', { name: 'os__tool', ...capabilities, ...rest }, { caller }))
      ).at(-1)!;
    return { call, calls, later: (ms: number) => (now += ms) };
  }

  it('reaches the client, and its answer the upstream with the state that it gave', async () => {
    const { call, calls } = setup();
    const { result } = await call();
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: request.inputRequests });
    expect(result.requestState).not.toContain('upstream-state');
    const inputResponses = { q: { action: 'accept', content: {} } };
    const answer = await call({ inputResponses, requestState: result.requestState });
    expect(answer.result.content).toEqual(text('thanks').content);
    expect(calls[1]).toEqual({ inputResponses, requestState: 'upstream-state' });
  });

  it.each([
    ['changed', (state: string) => `${state}x`, ada, 0],
    ['made up', () => 'e30.e30', ada, 0],
    ['of another user', (state: string) => state, { userId: 'bob', admin: false }, 0],
    ['eleven minutes old', (state: string) => state, ada, 11 * 60_000],
  ])('is not answered with a state that is %s', async (_what, change, caller, wait) => {
    const { call, calls, later } = setup();
    const { result } = await call();
    later(wait);
    const requestState = change(String(result.requestState));
    const answer = await call({ inputResponses: { q: { action: 'accept' } }, requestState }, caller);
    expect(answer.error).toMatchObject({ code: -32602 });
    expect(calls).toHaveLength(1);
  });
});

describe('a server that is still connecting', () => {
  const answer = () => text('here');
  function setup() {
    const services = stubServices({
      servers: { os: { tool: { answer } } },
      scripts: { 'os.tool': async ({ call }) => ({ ok: true, value: JSON.stringify((await call('os.tool')).ok) }) },
    });
    const { catalogue, view } = services;
    let state: 'connecting' | 'failed' | 'connected' = 'connecting';
    const partly = (servers: readonly object[]) =>
      servers.map((server) => ({ ...server, state, ...(state !== 'connected' && { tools: [] }) }));
    services.catalogue = async (caller) => {
      const whole = await catalogue(caller);
      return { ...whole, servers: partly(whole.servers) as never };
    };
    services.view = (seen, caller) => {
      const whole = view(seen, caller);
      return state === 'connected' ? whole : { key: state, servers: seen.servers, functions: [], proxies: [] };
    };
    return { gateway: createGateway(services), become: (next: typeof state) => (state = next) };
  }

  it('is waited for by a call that needs it, directly or in code', async () => {
    for (const params of [{ name: 'os__tool' }, { name: 'execute_code', arguments: { code: 'os.tool' } }]) {
      const { gateway, become } = setup();
      setTimeout(() => become('connected'), 60);
      expect((await callIn('modern', gateway, params)).result).toMatchObject(
        params.name === 'os__tool' ? text('here') : { content: [{ text: expect.stringContaining('"value":true') }] },
      );
    }
  });

  it('and fails is told of as that, not as an unknown tool', async () => {
    const { gateway, become } = setup();
    setTimeout(() => become('failed'), 60);
    const { result } = await callIn('modern', gateway, { name: 'os__tool' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('upstream_unavailable') }],
    });
  });
});
