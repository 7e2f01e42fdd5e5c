import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { type RunningServer, startHttp } from '../../support/upstreams/http-server.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { CLIENTS, connect, JWT_SECRET, tokenOf } from './sdk-clients.ts';

const UPSTREAM_KEY = 'the-key-of-the-upstream';

const SCRIPTS = {
  javascript: 'function Run(p) { return calc.add(p).sum }',
  typescript: 'function Run(p: { a: number; b: number }): number { return calc.add(p).sum }',
  lua: 'function Run(p) return calc.add(p).sum end',
  go: `package main

import "calc"

func Run(p map[string]any) any {
	v, err := calc.Add(p)
	if err != nil {
		panic(err)
	}
	return v.(map[string]any)["sum"]
}`,
};

let cloud: Cloud;
let upstream: RunningServer;
let ada: string;
/** Lets a held call of the tool `wait` go on; undefined while none is held. */
let release: (() => void) | undefined;

beforeAll(async () => {
  upstream = await startHttp({
    tools: ['add', 'wait'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    async call(name, args) {
      if (name === 'add') return { content: [], structuredContent: { sum: Number(args['a']) + Number(args['b']) } };
      await new Promise<void>((done) => {
        release = done;
      });
      return { content: [{ type: 'text', text: 'waited' }] };
    },
  });
  cloud = await startCloud({
    config: {
      auth: { require: true, jwt_secret: '${secret:webui}' },
      upstream: [
        {
          name: 'calculator',
          alias: 'calc',
          transport: 'http',
          url: upstream.url,
          headers: { 'X-Key': '${ssm:/calculator/key}' },
        },
      ],
    },
    secrets: { webui: JWT_SECRET, '/calculator/key': UPSTREAM_KEY },
  });
  ada = await tokenOf('ada');
  await cloud.refresh();
});

beforeEach(() => {
  release = undefined;
  cloud.front.remainingMs = undefined;
});

afterAll(async () => {
  release?.();
  await cloud?.[Symbol.asyncDispose]();
  await upstream?.[Symbol.asyncDispose]();
});

describe.each(CLIENTS)('%s', (name) => {
  it('connects in one environment, lists in a second, and runs every language in whichever comes next', async () => {
    const before = cloud.fleet.servedBy.length;
    const listed = upstream.count('tools/list');
    const client = await connect(name, cloud.url, ada);
    expect(await client.tools()).toEqual(expect.arrayContaining(['execute_code', 'list_code', 'calc__add']));
    for (const [language, code] of Object.entries(SCRIPTS)) {
      const result = await client.run({ language, code, params: { a: 2, b: 40 } });
      expect(result, language).toMatchObject({ ok: true, value: 42, toolCalls: 1 });
    }
    await client.close();
    const served = cloud.fleet.servedBy.slice(before);
    expect(new Set(served).size).toBe(3);
    for (const [at, number] of served.entries()) expect(number).not.toBe(served[at - 1]);
    expect(upstream.count('tools/list')).toBe(listed);
    expect(upstream.seen.at(-1)?.headers['x-key']).toBe(UPSTREAM_KEY);
  });

  it('hears of progress while the script still waits', async () => {
    const client = await connect(name, cloud.url, ada);
    const told: unknown[] = [];
    const code = 'function Run() { calc.add({ a: 1, b: 1 }); return calc.wait({}) }';
    // The script ends only when progress has arrived: an answer kept back anywhere would never end.
    const result = client.run({ code }, (progress) => {
      told.push(progress);
      void until(() => release !== undefined).then(() => release?.());
    });
    expect(await result).toMatchObject({ ok: true, value: 'waited', toolCalls: 2 });
    expect(told.length).toBeGreaterThan(0);
    await client.close();
  });

  it('goes on when every environment has died since', async () => {
    const client = await connect(name, cloud.url, ada);
    for (let i = 0; i < 3; i++) {
      await client.tools();
      await cloud.fleet.killLast();
    }
    expect(await client.run({ code: 'function Run() { return calc.add({ a: 1, b: 2 }).sum }' })).toMatchObject({
      ok: true,
      value: 3,
    });
    await client.close();
  });

  it('gets an answer when a script meets the deadline, and the next one runs', async () => {
    const client = await connect(name, cloud.url, ada);
    cloud.front.remainingMs = 8000;
    const failures = cloud.front.failures.length;
    expect(await client.run({ code: 'function Run() { return calc.wait({}) }' })).toMatchObject({
      ok: false,
      errorCode: 'timeout',
      timedOut: true,
    });
    cloud.front.remainingMs = undefined;
    expect(await client.run({ code: '1 + 1' })).toMatchObject({ ok: true, value: 2 });
    expect(cloud.front.failures.slice(failures)).toEqual([]);
    release?.();
    await client.close();
  });

  it('keeps a script in one environment and runs it in the others', async () => {
    const client = await connect(name, cloud.url, ada);
    const script = `twice-${CLIENTS.indexOf(name)}`;
    const code = 'function Run(p) { return p.n * 2 }';
    await client.run({ name: script, code, params: { n: 1 }, description: 'doubles' });
    for (const n of [2, 3, 4]) {
      expect(await client.run({ name: script, params: { n } })).toMatchObject({ ok: true, value: n * 2 });
    }
    const kept = JSON.parse((await client.call('get_code', { name: script })).content[0]!.text);
    expect(kept).toMatchObject({ code, runs: 4, savedBy: 'ada' });
    await client.close();
  });

  it('calls an upstream whose sockets broke while the environments stood still, once', async () => {
    const client = await connect(name, cloud.url, ada);
    const sum = async (a: number) => (await client.run({ code: `calc.add({ a: ${a}, b: 0 }).sum` })).value;
    for (const a of [1, 2, 3]) expect(await sum(a)).toBe(a);
    upstream.breakSockets();
    const before = upstream.count('tools/call');
    for (const a of [4, 5, 6]) expect(await sum(a)).toBe(a);
    expect(upstream.count('tools/call') - before).toBe(3);
    await client.close();
  });
});

describe('a session', () => {
  it.each(['sdk 1.32', 'sdk 2.4, legacy era'] as const)('is refused to another user: %s', async (name) => {
    const mine = await connect(name, cloud.url, ada);
    expect(mine.session).toMatch(/^[\w-]{32}$/);
    const theirs = await connect(name, cloud.url, await tokenOf('eve'), mine.session);
    await expect(theirs.call('list_servers', {})).rejects.toThrow(/Session not found/);
    expect(await mine.tools()).toContain('execute_code');
    await mine.close();
    const late = await connect(name, cloud.url, ada, mine.session);
    await expect(late.call('list_servers', {})).rejects.toThrow(/Session not found/);
  });
});

describe('over HTTP', () => {
  const send = (method: string, body?: object, headers: Record<string, string> = {}, path = '/mcp') =>
    fetch(`${cloud.front.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ada}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
    });
  async function open(): Promise<Record<string, string>> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const response = await send('POST', { id: 0, method: 'initialize', params });
    expect(response.status).toBe(200);
    await response.text();
    return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  }

  it('a notification is answered 202 with nothing', async () => {
    const response = await send('POST', { method: 'notifications/initialized' }, await open());
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('what is not there, not allowed, not JSON or too much is said so', async () => {
    const session = await open();
    const list = { id: 1, method: 'tools/list' };
    expect((await send('POST', list, session, '/elsewhere')).status).toBe(404);
    expect((await send('POST', list)).status).toBe(400);
    expect((await send('POST', list, { 'mcp-session-id': 'never-was' })).status).toBe(404);
    expect((await send('POST', list, { ...session, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('POST', { ...list, params: { x: 'x'.repeat(5 * 2 ** 20) } }, session)).status).toBe(413);
    expect((await send('POST', list, { ...session, authorization: 'Bearer x.y.z' })).status).toBe(401);
    const get = await send('GET', undefined, session);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, DELETE, OPTIONS']);
    expect((await send('DELETE', undefined, session)).status).toBe(204);
    expect((await send('POST', list, session)).status).toBe(404);
    const health = await send('GET', undefined, {}, '/healthz');
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('an environment that dies in the middle of an answer breaks it off, and harms no other request', async () => {
    const session = await open();
    const code = 'function Run() { calc.add({ a: 1, b: 1 }); return calc.wait({}) }';
    const params = { name: 'execute_code', arguments: { code }, _meta: { progressToken: 1 } };
    const response = await send('POST', { id: 2, method: 'tools/call', params }, session);
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toContain('notifications/progress');
    await cloud.fleet.killLast();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow();
    const again = await send('POST', { id: 3, method: 'tools/list' }, session);
    expect(again.status).toBe(200);
    await again.text();
  });
});

describe('the log', () => {
  it('is JSON with the request id, counts in the embedded format, and holds no token, secret or script', async () => {
    const client = await connect('sdk 1.32', cloud.url, ada);
    for (let i = 0; i < 4; i++) await client.run({ code: 'function Run() { throw new Error("in the script") }' });
    await client.close();
    const lines = cloud.fleet.logged().trim().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const executions = parsed.filter(({ msg }) => msg === 'execute code');
    expect(executions.length).toBeGreaterThan(20);
    for (const { requestId } of executions) expect(requestId).toMatch(/^request-\d+-\d+$/);
    expect(parsed.some((line) => line['Executions'] !== undefined && line['_aws'] !== undefined)).toBe(true);
    expect(parsed.some((line) => line['FailedExecutions'] === 1 && line['code'] === 'runtime')).toBe(true);
    for (const secret of [ada, JWT_SECRET, UPSTREAM_KEY, 'Bearer', 'calc.add', 'in the script']) {
      expect(cloud.fleet.logged(), secret).not.toContain(secret);
    }
  });
});
