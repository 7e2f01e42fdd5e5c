import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ANONYMOUS, type Caller } from '../../lib/access/caller.ts';
import { type Config, configSchema } from '../../lib/config/schema.ts';
import { CodeModeError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { LogFields } from '../../lib/log.ts';
import type { RegistryCache } from '../../lib/registry/contract.ts';
import { createMemoryCache } from '../../lib/registry/memory-cache.ts';
import { createRegistry } from '../../lib/registry/registry.ts';
import type { ToolDefinition } from '../../lib/tool.ts';
import type { RequestOptions, Upstream } from '../../lib/upstream/contract.ts';
import { createUpstream } from '../../lib/upstream/create-upstream.ts';
import { UpstreamError } from '../../lib/upstream/upstream-error.ts';
import { until } from '../support/until.ts';
import { referenceEntry, stdioEntry } from '../support/upstreams/connect.ts';
import { manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const bob: Caller = { userId: 'bob', token: 'b.b.b', admin: false };
const ada: Caller = { userId: 'ada', token: 'a.a.a', admin: false };

/** An upstream whose every turn the test decides. */
function scripted(name: string, list: (options: RequestOptions) => Promise<ToolDefinition[]> | ToolDefinition[]) {
  const changed = new Set<() => void>();
  const lost = new Set<() => void>();
  const fake = {
    list,
    lists: 0,
    closed: false,
    capabilities: { tools: {} } as JsonObject,
    methods: {} as Record<string, () => JsonObject>,
    change: () => changed.forEach((tell) => void tell()),
    lose: () => lost.forEach((tell) => void tell()),
  };
  const upstream: Upstream = {
    name,
    listTools: async (options) => {
      fake.lists++;
      return fake.list(options);
    },
    callTool: async () => ({}),
    request: async (method) => fake.methods[method]?.() ?? {},
    capabilities: async () => fake.capabilities,
    onListChanged(listener) {
      const tell = () => listener('tools');
      changed.add(tell);
      return () => changed.delete(tell);
    },
    onLost(listener) {
      lost.add(listener);
      return () => lost.delete(listener);
    },
    endSession: async () => {},
    close: async () => {
      fake.closed = true;
    },
  };
  return { upstream, fake };
}

interface Setting {
  config?: object;
  cache?: RegistryCache;
  now?: () => number;
}

function registryOf(upstreams: Upstream[], { config = {}, cache = createMemoryCache(), now = Date.now }: Setting = {}) {
  const entries = upstreams.map(({ name }) => ({ name, transport: 'stdio', command: 'x' }));
  const lines: [string, LogFields | undefined][] = [];
  const registry = createRegistry({
    config: configSchema.parse({ upstream: entries, ...config }),
    upstreams,
    cache,
    log: (_, msg, fields) => void lines.push([msg, fields]),
    now,
  });
  onTestFinished(() => registry.close());
  const states = async (caller = ANONYMOUS) => {
    const { servers } = await registry.catalogue(caller);
    return servers.map(({ state, tools }) => `${state} ${tools.length}`);
  };
  return { registry, lines, states };
}

const down = () => {
  throw new CodeModeError('upstream_unavailable', 'Server "a" is not available: it refused the connection.');
};

describe('the registry of a local process', () => {
  it('starts at once and shows healthy servers beside one that hangs', async () => {
    const healthy = scripted('a', () => manyTools(2));
    const hanging = scripted('b', () => new Promise(() => {}));
    const { registry, states } = registryOf([healthy.upstream, hanging.upstream]);
    registry.start();
    expect(await states()).toEqual(['connected 2', 'connecting 0']);
  });

  it('waits two seconds for servers that are still connecting, and only once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { registry, states } = registryOf([scripted('a', () => new Promise(() => {})).upstream]);
    registry.start();
    let shown = false;
    const first = states().then(() => {
      shown = true;
    });
    await vi.advanceTimersByTimeAsync(1990);
    expect(shown).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    await first;
    // No timer runs from here on: this one does not wait.
    expect(await states()).toEqual(['connecting 0']);
  });

  it('keeps the tools of a server that is lost, as stale, until it is back', async () => {
    const { upstream, fake } = scripted('a', () => manyTools(2));
    const { registry, states, lines } = registryOf([upstream]);
    registry.start();
    expect(await states()).toEqual(['connected 2']);
    fake.list = down;
    fake.lose();
    await until(() => fake.lists === 2);
    await until(() => lines.length === 2);
    expect(await states()).toEqual(['stale 2']);
    const { servers } = await registry.catalogue(ANONYMOUS);
    expect(servers[0]?.error).toBe('Server "a" is not available: it refused the connection.');
    fake.list = () => manyTools(3);
    await registry.refresh();
    expect(await states()).toEqual(['connected 3']);
    expect(lines.map(([msg]) => msg)).toEqual(['upstream connected', 'upstream failed', 'upstream reconnected']);
  });

  it('tries a failed server again every reconnect_interval_s', async () => {
    const { upstream, fake } = scripted('a', down);
    const { registry, states } = registryOf([upstream], { config: { connector: { reconnect_interval_s: 0.05 } } });
    registry.start();
    expect(await states()).toEqual(['failed 0']);
    fake.list = () => manyTools(1);
    await until(() => fake.lists >= 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await states()).toEqual(['connected 1']);
    const { lists } = fake;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(fake.lists).toBe(lists);
  });

  it('reads the list again when told that it changed, and tells its listeners only of real changes', async () => {
    const { upstream, fake } = scripted('a', () => manyTools(1));
    const { registry, states } = registryOf([upstream]);
    const told: (readonly string[])[] = [];
    registry.onChange((changed) => told.push(changed));
    registry.start();
    await states();
    expect(told).toEqual([['tools']]);
    for (let i = 0; i < 5; i++) fake.change();
    await until(() => fake.lists === 2);
    fake.list = () => manyTools(2);
    fake.change();
    await until(() => told.length === 2);
    expect(fake.lists).toBe(3);
    expect(await states()).toEqual(['connected 2']);
  });

  it('learns from a call that a server is down, and does not go on asking it', async () => {
    const running = await startHttp({ tools: manyTools(1) });
    const config = configSchema.parse({ upstream: [{ name: 'a', transport: 'http', url: running.url }] });
    const real = createUpstream(config.upstream[0]!, { resolve: async (text) => text, log: () => {} });
    let lists = 0;
    const upstream: Upstream = {
      ...real,
      listTools: (options) => {
        lists++;
        return real.listTools(options);
      },
      capabilities: (options) => {
        lists++;
        return real.capabilities(options);
      },
    };
    const { registry, states } = registryOf([upstream], { config });
    registry.start();
    await registry.refresh();
    expect(await states()).toEqual(['connected 1']);
    await running[Symbol.asyncDispose]();
    const call = upstream.callTool({ name: 'tool_0', arguments: {} }, { caller: ANONYMOUS });
    await expect(call).rejects.toMatchObject({ code: 'upstream_unavailable' });
    while ((await states())[0] !== 'stale 1') await new Promise((resolve) => setTimeout(resolve, 20));
    const before = lists;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(lists).toBe(before);
  });

  it('names connect_timeout_s whichever clock rings first', async () => {
    const { upstream } = scripted('a', () => {
      throw new CodeModeError('call_timeout', 'Server "a" did not connect in time. The request was not carried out.');
    });
    const { servers } = await registryOf([upstream]).registry.catalogue(ANONYMOUS);
    expect(servers[0]?.error).toMatch(/^Server "a" did not list its tools within \d+ s \(connect_timeout_s\)\.$/);
  });

  it('advises per_user where a server wants to know the user', async () => {
    const { upstream } = scripted('a', () => {
      throw new CodeModeError('upstream_unavailable', 'Server "a" refused our credentials (HTTP 401).');
    });
    const entries = [{ name: 'a', transport: 'http', url: 'https://a.example' }];
    const { servers } = await registryOf([upstream], { config: { upstream: entries } }).registry.catalogue(ANONYMOUS);
    expect(servers[0]?.error).toBe(
      'Server "a" refused our credentials (HTTP 401). If it lists nothing without a user, set catalogue: per_user.',
    );
  });

  it('closes its upstreams and listens no more', async () => {
    const { upstream, fake } = scripted('a', () => manyTools(1));
    const { registry, states } = registryOf([upstream]);
    registry.start();
    await states();
    await registry.close();
    fake.change();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fake).toMatchObject({ closed: true, lists: 1 });
  });

  it('says of a late server that npx is to start what it may be waiting for', async () => {
    const { upstream } = scripted('a', () => {
      throw new CodeModeError('call_timeout', 'Server "a" did not connect in time. The request was not carried out.');
    });
    const entries = [{ name: 'a', transport: 'stdio', command: 'npx', args: ['-y', 'b'] }];
    const { servers } = await registryOf([upstream], { config: { upstream: entries } }).registry.catalogue(ANONYMOUS);
    expect(servers[0]?.error).toBe(
      'Server "a" did not list its tools within 30 s (connect_timeout_s). npx may be downloading it: run its command once by hand, in the configuration\'s folder or its working_dir.',
    );
  });

  it('works with real processes: one good, one that hangs, one that ends, one that lists 300 tools over 30 pages', async () => {
    await using pages = await startHttp({ tools: manyTools(300), pageSize: 10 });
    const config: Config = configSchema.parse({
      upstream: [
        { name: 'good', ...referenceEntry('server-everything', 'stdio') },
        { name: 'hangs', ...stdioEntry('hang') },
        { name: 'ends', ...stdioEntry('exit') },
        { name: 'pages', transport: 'http', url: pages.url },
      ],
    });
    const log = () => {};
    const upstreams = config.upstream.map((entry) => createUpstream(entry, { resolve: async (text) => text, log }));
    const registry = createRegistry({ config, upstreams, cache: createMemoryCache(), log, now: Date.now });
    onTestFinished(() => registry.close());
    registry.start();
    let servers = (await registry.catalogue(ANONYMOUS)).servers;
    while (servers.some(({ server, state }) => server !== 'hangs' && state === 'connecting')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      servers = (await registry.catalogue(ANONYMOUS)).servers;
    }
    expect(servers.map(({ state, tools }) => `${state} ${tools.length}`)).toEqual([
      'connected 13',
      'connecting 0',
      'failed 0',
      'connected 300',
    ]);
    expect(servers[2]?.error).toBe(
      'Server "ends" is not available: its process ended (the log has its exit code and the last line it wrote to stderr).',
    );
    expect(servers[0]).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ uri: expect.any(String) })]),
      resourceTemplates: expect.arrayContaining([expect.objectContaining({ uriTemplate: expect.any(String) })]),
      prompts: expect.arrayContaining([expect.objectContaining({ name: 'simple-prompt' })]),
    });
  });
});

describe('the registry of a Lambda environment', () => {
  it('serves what another environment has listed without asking any upstream', async () => {
    const cache = createMemoryCache();
    const first = scripted('a', () => manyTools(2));
    await registryOf([first.upstream], { cache }).registry.refresh();
    const second = scripted('a', () => manyTools(9));
    const { states } = registryOf([second.upstream], { cache });
    expect(await states()).toEqual(['connected 2']);
    expect(second.fake.lists).toBe(0);
  });

  it('reads the cache again after registry.cache_s, and not before', async () => {
    let time = 1_000_000;
    let reads = 0;
    const memory = createMemoryCache();
    const cache: RegistryCache = {
      ...memory,
      read: () => {
        reads++;
        return memory.read();
      },
    };
    await memory.write({ server: 'a', state: 'connected', tools: manyTools(1), refreshedAt: 1 });
    const { states } = registryOf([scripted('a', () => []).upstream], { cache, now: () => time });
    for (let i = 0; i < 3; i++) expect(await states()).toEqual(['connected 1']);
    await memory.write({ server: 'a', state: 'connected', tools: manyTools(5), refreshedAt: 2 });
    expect(await states()).toEqual(['connected 1']);
    expect(reads).toBe(1);
    time += 16_000;
    expect(await states()).toEqual(['connected 5']);
    expect(reads).toBe(2);
  });

  it('serves what it read last while the cache cannot be read, and fails where it has read nothing', async () => {
    let time = 1_000_000;
    let reads = 0;
    let broken = false;
    const memory = createMemoryCache();
    const cache: RegistryCache = {
      ...memory,
      async read() {
        reads++;
        if (broken) throw new CodeModeError('internal', 'the storage does not answer');
        return memory.read();
      },
    };
    await memory.write({ server: 'a', state: 'connected', tools: manyTools(1), refreshedAt: 1 });
    const { states } = registryOf([scripted('a', () => []).upstream], { cache, now: () => time });
    broken = true;
    await expect(states()).rejects.toThrow('the storage does not answer');
    broken = false;
    expect(await states()).toEqual(['connected 1']);
    broken = true;
    time += 16_000;
    for (let i = 0; i < 3; i++) expect(await states()).toEqual(['connected 1']);
    expect(reads).toBe(3);
  });

  it('lists on demand what nobody has listed yet, once for many requests, and writes it down', async () => {
    const cache = createMemoryCache();
    const { upstream, fake } = scripted('a', () => manyTools(2));
    const { states } = registryOf([upstream], { cache });
    await Promise.all(Array.from({ length: 10 }, () => states()));
    expect(fake.lists).toBe(1);
    expect(await cache.read()).toMatchObject([{ server: 'a', state: 'connected', tools: manyTools(2) }]);
  });

  it('keeps the old snapshot, marked, when a refresh finds the server down', async () => {
    const cache = createMemoryCache();
    await cache.write({ server: 'a', state: 'connected', tools: manyTools(2), refreshedAt: 1 });
    const { registry } = registryOf([scripted('a', down).upstream, scripted('b', () => manyTools(1)).upstream], {
      cache,
    });
    await registry.refresh();
    expect(await cache.read()).toMatchObject([
      { server: 'a', state: 'stale', tools: manyTools(2), refreshedAt: 1, error: expect.any(String) },
      { server: 'b', state: 'connected', tools: manyTools(1) },
    ]);
  });

  it('works on when the cache cannot be written', async () => {
    const cache = { ...createMemoryCache(), write: () => Promise.reject(new Error('throttled')) };
    const { states, lines } = registryOf([scripted('a', () => manyTools(1)).upstream], { cache });
    expect(await states()).toEqual(['connected 1']);
    expect(lines.map(([msg]) => msg)).toContain('registry cache not written');
  });
});

describe('servers listed for each user', () => {
  const config = { upstream: [{ name: 'a', transport: 'http', url: 'https://a.example', catalogue: 'per_user' }] };

  it('show each caller what they list for that caller, and keep it', async () => {
    const asked: (string | undefined)[] = [];
    const { upstream, fake } = scripted('a', ({ caller }) => {
      asked.push(caller.userId);
      return manyTools(caller.userId === 'ada' ? 3 : caller.userId === 'bob' ? 1 : 0);
    });
    const { states, registry } = registryOf([upstream], { config });
    registry.start();
    for (let i = 0; i < 3; i++) {
      expect(await states(ada)).toEqual(['connected 3']);
      expect(await states(bob)).toEqual(['connected 1']);
      expect(await states()).toEqual(['connected 0']);
    }
    expect(asked).toEqual(['ada', 'bob', undefined]);
    expect(fake.lists).toBe(3);
  });

  it('give the same catalogue again while nothing changes', async () => {
    const { upstream } = scripted('a', () => manyTools(1));
    const { registry } = registryOf([upstream], { config });
    expect(await registry.catalogue(ada)).toBe(await registry.catalogue(ada));
    expect(await registry.catalogue(bob)).not.toBe(await registry.catalogue(ada));
  });

  it('are not listed by the shared refresh, nor kept where others read', async () => {
    const cache = createMemoryCache();
    const { upstream, fake } = scripted('a', () => manyTools(1));
    const { registry, states } = registryOf([upstream], { config, cache });
    await registry.refresh();
    expect(fake.lists).toBe(0);
    await states(ada);
    expect(await cache.read()).toEqual([]);
  });

  it('are listed again after registry.refresh_s, a failure after the reconnect interval', async () => {
    let time = 1_000_000;
    const { upstream, fake } = scripted('a', () => manyTools(1));
    const { states } = registryOf([upstream], { config, now: () => time });
    await states(ada);
    time += 299_000;
    await states(ada);
    expect(fake.lists).toBe(1);
    time += 2000;
    fake.list = down;
    await states(ada);
    await until(() => fake.lists === 2);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await states(ada)).toEqual(['stale 1']);
    time += 31_000;
    await states(ada);
    expect(fake.lists).toBe(3);
  });
});

describe('what is listed beside tools', () => {
  const listing = {
    'resources/list': () => ({ resources: [{ uri: 'file:///a', name: 'a', 'x-odd': 1 }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 't' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
  };

  async function listed(entry: object, capabilities: JsonObject, methods: Record<string, () => JsonObject> = listing) {
    const { upstream, fake } = scripted('a', () => manyTools(1));
    Object.assign(fake, { capabilities, methods });
    const config = { upstream: [{ name: 'a', transport: 'stdio', command: 'x', ...entry }] };
    const { servers } = await registryOf([upstream], { config }).registry.catalogue(ANONYMOUS);
    const { resources, resourceTemplates, prompts, warnings, state } = servers[0]!;
    return { resources, resourceTemplates, prompts, warnings, state };
  }

  it('is whole where the server has it and it is exposed', async () => {
    expect(await listed({}, { tools: {}, resources: {}, prompts: {} })).toEqual({
      resources: [{ uri: 'file:///a', name: 'a', 'x-odd': 1 }],
      resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 't' }],
      prompts: [{ name: 'p' }],
      warnings: [],
      state: 'connected',
    });
  });

  it.each([
    [{ expose: 'code' }, { tools: {}, resources: {}, prompts: {} }],
    [
      { expose_resources: false, expose_prompts: false },
      { tools: {}, resources: {}, prompts: {} },
    ],
    [{}, { tools: {} }],
  ])('is nothing for %j where the server declares %j', async (entry, capabilities) => {
    const found = await listed(entry, capabilities);
    expect(found).toMatchObject({ state: 'connected' });
    expect([found.resources, found.resourceTemplates, found.prompts]).toEqual([undefined, undefined, undefined]);
  });

  it('is tools too where the server does not say that it has any, unless it answers with an error', async () => {
    const { upstream, fake } = scripted('a', () => manyTools(2));
    fake.capabilities = {};
    expect(await registryOf([upstream]).states()).toEqual(['connected 2']);
    fake.list = () => {
      throw new UpstreamError({ code: -32601, message: 'Method not found' });
    };
    expect(await registryOf([upstream]).states()).toEqual(['connected 0']);
  });

  it('leaves a warning where it cannot be listed, and the tools in place', async () => {
    const broken = {
      ...listing,
      'prompts/list': () => {
        throw new CodeModeError('tool_failed', 'no database');
      },
    };
    expect(await listed({}, { tools: {}, resources: {}, prompts: {} }, broken)).toMatchObject({
      state: 'connected',
      prompts: [],
      warnings: ['It could not list its prompts: no database'],
    });
  });
});
