import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ANONYMOUS, type Caller } from '../../lib/access/caller.ts';
import { exposureFor } from '../../lib/access/rights.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { buildCatalogue } from '../../lib/registry/catalogue.ts';
import { viewCatalogue } from '../../lib/registry/view.ts';
import { createGateway, type Gateway } from '../../lib/server/http.ts';
import { serveOverStdio } from '../../lib/server/stdio.ts';
import { createStreamPlaces } from '../../lib/server/stream-places.ts';
import { MCP_URL, modern, openSession } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const ann: Caller = { userId: 'ann', admin: false };
const eve: Caller = { userId: 'eve', admin: false };

/** Two servers with lists of every kind; on the second everything is open to ann alone. `change` makes one list longer. */
function changing() {
  const { upstream } = configSchema.parse({
    upstream: ['files', 'payroll'].map((name) => ({ name, transport: 'stdio', command: 'x' })),
  });
  const exposure = (server: string, name: string, { userId }: Caller) =>
    server === 'payroll' && userId !== 'ann' ? 'none' : exposureFor(upstream[0]!, name, ANONYMOUS, {});
  const lists: Record<string, Record<string, string[]>> = {
    files: { tools: ['read'], resources: ['a'], prompts: ['p'] },
    payroll: { tools: ['pay'], resources: ['b'], prompts: ['q'] },
  };
  const named = (names: string[]) => names.map((name) => ({ name, uri: `x://${name}`, inputSchema: {} }));
  const build = () =>
    buildCatalogue(
      upstream,
      Object.entries(lists).map(([server, { tools, resources, prompts }]) => ({
        server,
        state: 'connected' as const,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        tools: named(tools!),
        resources: named(resources!),
        prompts: named(prompts!),
        refreshedAt: 1,
      })),
    );
  let catalogue = build();
  const services = stubServices({
    config: { auth: { jwt_secret: 'x'.repeat(32) } },
    overrides: {
      catalogue: async () => catalogue,
      view: (all, caller) =>
        viewCatalogue(
          all,
          (server, name) => exposure(server, name, caller),
          () => false,
          '',
        ),
      exposure,
    },
  });
  const change = async (server: string, ...kinds: ('tools' | 'resources' | 'prompts')[]) => {
    for (const kind of kinds) lists[server]![kind]!.push(`${kind} ${lists[server]![kind]!.length}`);
    catalogue = build();
    services.announce(kinds);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { services, gateway: createGateway(services), change };
}

/** Reads a stream in the background; `told` gives the changed lists it has told of since it was last asked. */
function heard(response: Response) {
  let text = '';
  const done = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return {
    done,
    told() {
      const found = [...text.matchAll(/notifications\/(\w+)\/list_changed/g)].map(([, list]) => list);
      text = '';
      return found;
    },
  };
}

const NOTIFICATIONS = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true };
const ways: [string, (gateway: Gateway, caller: Caller, signal?: AbortSignal) => Promise<Response>][] = [
  [
    'GET',
    async (gateway, caller, signal) => {
      const headers = { ...(await openSession(gateway, '2025-11-25', { caller })), accept: 'text/event-stream' };
      return gateway(new Request(MCP_URL, { headers, ...(signal && { signal }) }), caller);
    },
  ],
  [
    'subscriptions/listen',
    (gateway, caller, signal) =>
      modern(gateway, 'subscriptions/listen', { notifications: NOTIFICATIONS }, { caller, ...(signal && { signal }) }),
  ],
];

afterEach(() => vi.useRealTimers());

describe.each(ways)('a stream opened by %s', (_, open) => {
  it("tells of the lists that changed in the caller's own view, and of no others", async () => {
    const { gateway, change } = changing();
    const streams = { ann: heard(await open(gateway, ann)), eve: heard(await open(gateway, eve)) };
    await change('payroll', 'tools', 'resources', 'prompts');
    expect(streams.ann.told().toSorted()).toEqual(['prompts', 'resources', 'tools']);
    expect(streams.eve.told()).toEqual([]);
    await change('files', 'prompts');
    expect(streams.ann.told()).toEqual(['prompts']);
    expect(streams.eve.told()).toEqual(['prompts']);
    await change('payroll', 'tools');
    expect(streams.ann.told()).toEqual(['tools']);
    expect(streams.eve.told()).toEqual([]);
  });

  it('tells where nothing can be compared', async () => {
    const { services, gateway, change } = changing();
    const stream = heard(await open(gateway, eve));
    services.catalogue = () => Promise.reject(new Error('away'));
    await change('payroll', 'tools');
    expect(stream.told()).toEqual(['tools']);
  });

  it('ends with the token it was opened with', async () => {
    const { services, gateway } = changing();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const days = 20 * 24 * 60 * 60 * 1000;
    const stream = heard(await open(gateway, { ...eve, tokenEndsAt: services.now() + days }));
    let ended = false;
    void stream.done.then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(days - 1);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await stream.done;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is one of 64 that a user may hold; one that has gone makes room', async () => {
    const { gateway } = changing();
    const gone = new AbortController();
    const first = heard(await open(gateway, eve, gone.signal));
    for (let count = 1; count < 64; count++) expect((await open(gateway, eve)).status).toBe(200);
    const refused = await open(gateway, eve);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('close one');
    expect((await open(gateway, ann)).status).toBe(200);
    gone.abort();
    await first.done;
    expect((await open(gateway, eve)).status).toBe(200);
    expect((await open(gateway, eve)).status).toBe(429);
  });
});

describe('subscriptions/listen', () => {
  it('holds no place where the stream ends at once, or never begins', async () => {
    const { services, gateway } = changing();
    const listen = (notifications: unknown) =>
      modern(gateway, 'subscriptions/listen', { notifications }, { caller: eve });
    for (let count = 0; count < 70; count++) {
      await heard(await listen({})).done;
      await (await listen(7)).text();
    }
    const { catalogue } = services;
    services.catalogue = () => Promise.reject(new Error('away'));
    for (let count = 0; count < 70; count++) await listen({ resourceSubscriptions: ['x://a'] });
    services.catalogue = catalogue;
    expect((await listen(NOTIFICATIONS)).status).toBe(200);
  });
});

describe('a client on stdio', () => {
  it('is told of the lists that changed for everybody, and of no others', async () => {
    const { services, change } = changing();
    const input = new PassThrough();
    const output = new PassThrough();
    let text = '';
    output.on('data', (chunk) => {
      text += chunk;
    });
    const service = serveOverStdio(services, input, output);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await vi.waitUntil(() => text.includes('"id":1'));
    await change('payroll', 'tools');
    await change('files', 'resources');
    await vi.waitUntil(() => text.includes('list_changed'));
    expect(text.match(/notifications\/\w+\/list_changed/g)).toEqual(['notifications/resources/list_changed']);
    input.end();
    await service.ended;
  });
});

describe('the places for streams', () => {
  const take = (places: ReturnType<typeof createStreamPlaces>, caller: Caller, wanted: number) =>
    Array.from({ length: wanted }, () => places.take(caller)).filter((place) => place !== undefined);

  it('are 1,024, of which those without an identity get half where others have one', () => {
    expect(take(createStreamPlaces(false), ANONYMOUS, 2000)).toHaveLength(1024);
    const places = createStreamPlaces(true);
    expect(take(places, ANONYMOUS, 2000)).toHaveLength(512);
    for (let user = 0; user < 20; user++) take(places, { userId: `user-${user}`, admin: false }, 100);
    expect(take(places, eve, 1)).toEqual([]);
  });

  it('are given back once each', () => {
    const places = createStreamPlaces(true);
    const [first] = take(places, eve, 64);
    first!();
    first!();
    expect(take(places, eve, 3)).toHaveLength(1);
  });
});
