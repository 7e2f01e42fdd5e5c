import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningServer } from '../support/upstreams/http-server.ts';
import { type Echo, startEchoUpstream } from './echo-upstream.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { connect, initialize, type LegacyClient, send } from './legacy-client.ts';
import { hmacToken } from './tokens.ts';

vi.setConfig({ testTimeout: 120_000 });

const SECRET = 'the-secret-that-must-not-be-logged-anywhere';
const KEY = 'the-server-key-that-must-not-be-logged-either';
const now = Math.floor(Date.now() / 1000);
const tokenOf = (id: string, more: object = {}) =>
  hmacToken({ id, exp: now + 3600, jti: `jti-of-${id}`, ...more }, SECRET);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Starts a gateway from YAML; `env` fills its `${env:…}` references. */
export type StartGateway = (yaml: string, env: Record<string, string>) => Promise<GatewayProcess>;

/** Everything an attacker with a token, a bad one or none tries on a whole gateway; `start` starts it. */
export function attackSuite(start: StartGateway, { holdsStreams }: { holdsStreams: boolean }): void {
  let upstream: RunningServer;
  let keyed: RunningServer;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    upstream = await startEchoUpstream();
    keyed = await startEchoUpstream();
    gateway = await start(
      `auth:
  jwt_secret: \${env:SECRET}
limits:
  max_parallel_calls: 16
upstream:
  - name: echo
    transport: http
    url: ${upstream.url}
    tool_expose:
      - name: delete_path
        expose: none
        users:
          - { id: user-1, expose: both }
          - { id: user-2, expose: code }
  - name: keyed
    transport: http
    url: ${keyed.url}
    headers: { Authorization: "Bearer \${env:KEY}" }
`,
      { SECRET, KEY },
    );
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await upstream?.[Symbol.asyncDispose]();
    await keyed?.[Symbol.asyncDispose]();
  });

  const client = (id: string) => connect(gateway.url, bearer(tokenOf(id)));
  const scripts: Record<string, string> = {
    javascript: 'function Run() { return echo.whoami({}); }',
    typescript: 'async function Run(): Promise<unknown> { return await echo.whoami({}); }',
    lua: 'function Run() return echo.whoami({}) end',
    go: 'package main\n\nimport "echo"\n\nfunc Run() any {\n\tvalue, err := echo.Whoami(map[string]any{})\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn value\n}\n',
  };
  const execute = async (of: LegacyClient, args: object) => JSON.parse(await of.call('execute_code', args));

  describe('a session', () => {
    it('is not found by another user, or by nobody, or with a token that is refused', async () => {
      const ann = await client('ann');
      const others: [Record<string, string>, number][] = [
        [bearer(tokenOf('eve')), 404],
        [{}, 404],
        [bearer(''), 404],
        [bearer('sk-1'), 404],
        [bearer(tokenOf('ann', { exp: now - 60 })), 401],
        [bearer('a.b.c'), 401],
      ];
      for (const [headers, status] of others) {
        const all = { ...headers, 'mcp-session-id': ann.session };
        expect((await send(gateway.url, { id: 1, method: 'tools/list' }, all)).status).toBe(status);
        expect((await fetch(gateway.url, { method: 'DELETE', headers: all })).status).toBe(status);
        const stream = await fetch(gateway.url, { headers: { ...all, accept: 'text/event-stream' } });
        expect(stream.status).toBe(status === 404 && !holdsStreams ? 405 : status);
        await stream.body?.cancel();
      }
      expect(await ann.tools()).toContain('echo__whoami');
    });

    it('stays its user’s with a new token of theirs, and proves nothing by itself', async () => {
      const ann = await client('ann');
      const renewed = await ann.request('tools/list', {}, bearer(tokenOf('ann', { jti: 'another' })));
      expect(renewed.status).toBe(200);
      expect((await send(gateway.url, { id: 1, method: 'tools/list' }, { 'mcp-session-id': ann.session })).status).toBe(
        404,
      );
    });

    it('cannot be used again after DELETE', async () => {
      const ann = await client('ann');
      expect((await ann.close()).status).toBe(204);
      expect((await ann.request('tools/list')).status).toBe(404);
      expect((await ann.close()).status).toBe(404);
    });
  });

  describe('a refusal', () => {
    it('is a 401 that says what to mend and repeats nothing', async () => {
      for (const token of [
        tokenOf('ann', { exp: now - 60 }),
        hmacToken({ id: 'ann', exp: now + 60 }, 'wrong'),
        'opaque-key-of-some-length',
      ]) {
        const response = await initialize(gateway.url, bearer(token));
        expect(response.status).toBe(401);
        const { headers } = response;
        // A REST API gives it on under another name.
        const challenge = headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate');
        expect(challenge).toMatch(/^Bearer/);
        const text = await response.text();
        expect(text).toMatch(/Unauthorized: The (token|bearer)/);
        for (const piece of token.split('.')) expect(text).not.toContain(piece);
      }
    });

    it('meets two Authorization headers on the wire, whatever is in them', async () => {
      const good = `Bearer ${tokenOf('ann')}`;
      for (const authorization of [
        [good, good],
        [good, `Bearer ${tokenOf('eve')}`],
        ['Bearer sk-1', good],
        ['', good],
      ]) {
        const status = await new Promise((resolve, reject) => {
          const headers = [
            'content-type',
            'application/json',
            'host',
            new URL(gateway.url).host,
            ...authorization.flatMap((value) => ['Authorization', value]),
          ];
          const request = httpRequest(gateway.url, { method: 'POST', headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
          });
          request.on('error', reject);
          request.end('{}');
        });
        expect(status).toBe(401);
      }
    });
  });

  describe('rights over the wire', () => {
    it('show each caller only what is open to them, in every list', async () => {
      const seen = async (of: LegacyClient) => ({
        direct: (await of.tools()).includes('echo__delete_path'),
        sheet: (await of.call('get_functions_description', { language: 'javascript', server: 'echo' })).includes(
          'delete_path',
        ),
        search: (await of.call('search_functions', { query: 'delete path', server: 'echo' })).includes('delete_path'),
        raw: JSON.parse(await of.call('get_functions_raw', { server: 'echo' })).length,
        servers: JSON.parse(await of.call('list_servers')).find(({ name }: { name: string }) => name === 'echo')
          .toolNames,
      });
      const hidden = { direct: false, sheet: false, search: false, raw: 1, servers: ['whoami'] };
      expect(await seen(await client('user-1'))).toEqual({
        direct: true,
        sheet: true,
        search: true,
        raw: 2,
        servers: ['whoami', 'delete_path'],
      });
      expect(await seen(await client('user-2'))).toEqual({
        direct: false,
        sheet: true,
        search: true,
        raw: 2,
        servers: ['whoami', 'delete_path'],
      });
      expect(await seen(await client('user-3'))).toEqual(hidden);
      expect(await seen(await client('__proto__'))).toEqual(hidden);
      expect(await seen(await connect(gateway.url, {}))).toEqual(hidden);
    });

    it('are asked again at every call, direct or from code', async () => {
      const code = 'function Run() { return echo.delete_path({}); }';
      const closed = await client('user-3');
      expect(await execute(closed, { code })).toMatchObject({
        ok: false,
        errorCode: 'forbidden',
        error: expect.stringContaining('echo.delete_path'),
      });
      expect(await execute(closed, { code: 'function Run() { return echo.no_such({}); }' })).toMatchObject({
        errorCode: 'function_not_found',
      });
      const refused = await (await closed.request('tools/call', { name: 'echo__delete_path', arguments: {} })).text();
      expect(refused).toMatch(/error/i);
      const half = await client('user-2');
      expect(await execute(half, { code })).toMatchObject({ ok: true, value: { tool: 'delete_path' } });
      expect(await (await half.request('tools/call', { name: 'echo__delete_path', arguments: {} })).text()).toMatch(
        /error/i,
      );
      expect(JSON.parse(await (await client('user-1')).call('echo__delete_path'))).toMatchObject({
        tool: 'delete_path',
      });
      const calls = upstream.seen.filter(
        ({ method, message }) => method === 'tools/call' && JSON.stringify(message).includes('delete_path'),
      );
      expect(calls).toHaveLength(2);
    });
  });

  describe('forwarded identity', () => {
    it('is each caller’s own in 200 requests at once by 20 users, direct and from code in every language', async () => {
      const users = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => ({
          id: `user-${index}`,
          client: await client(`user-${index}`),
        })),
      );
      const echoes = await Promise.all(
        users.flatMap(({ id, client: of }) => [
          ...Object.entries(scripts).flatMap(([language, code]) =>
            [1, 2].map(async () => {
              const result = await execute(of, { language, code });
              return { id, way: language, echo: result.value as Echo, result };
            }),
          ),
          ...[1, 2].map(async () => ({
            id,
            way: 'direct',
            echo: JSON.parse(await of.call('echo__whoami')) as Echo,
            result: {},
          })),
        ]),
      );
      expect(echoes).toHaveLength(200);
      for (const { id, way, echo, result } of echoes) {
        expect(echo?.authorization, `${id} ${way} ${JSON.stringify(result)}`).toBe(`Bearer ${tokenOf(id)}`);
      }
    });

    it('is withheld from a server with a key of its own, and is not invented for anonymous callers', async () => {
      const ann = await client('ann');
      expect(JSON.parse(await ann.call('keyed__whoami'))).toMatchObject({ authorization: `Bearer ${KEY}` });
      const nobody = await connect(gateway.url, {});
      expect(JSON.parse(await nobody.call('echo__whoami'))).not.toHaveProperty('authorization');
      const key = await connect(gateway.url, bearer('sk-0123456789'));
      expect(JSON.parse(await key.call('echo__whoami'))).not.toHaveProperty('authorization');
    });

    it('takes no part in the shared refresh', () => {
      const lists = upstream.seen.filter(({ method }) => method === 'tools/list' || method === 'initialize');
      expect(lists.length).toBeGreaterThan(0);
      expect(upstream.seen.filter(({ method, headers }) => method === 'tools/list' && headers.authorization)).toEqual(
        [],
      );
    });
  });

  describe('the whole log', () => {
    it('holds no token, secret, key or part of one', () => {
      const log = gateway.log();
      expect(log).toContain('mcp call tool');
      expect(log.split('\n').length).toBeGreaterThan(200);
      const pieces = ['ann', 'eve', ...Array.from({ length: 20 }, (_, index) => `user-${index}`)].flatMap((id) =>
        tokenOf(id).split('.').slice(1),
      );
      for (const piece of [SECRET, KEY, 'Bearer ', 'opaque-key', 'sk-0123456789', 'jti-of', ...pieces]) {
        expect(log.includes(piece), piece).toBe(false);
      }
    });
  });
}
