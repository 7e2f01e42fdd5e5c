import { decodeJwt, decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller } from '../../lib/access/caller.ts';
import type { LogFields } from '../../lib/log.ts';
import { forwardAuthOf, identityAt } from '../../lib/upstream/identity.ts';
import { createMint } from '../../lib/upstream/mint.ts';
import { connectTo, upstreamConfig } from '../support/upstreams/connect.ts';
import { type FakeServer, manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const ada: Caller = {
  userId: 'ada',
  email: 'ada@a.example',
  name: 'Ada Łovelace',
  role: 'user',
  token: 'ada.a.a',
  admin: false,
};
const bob: Caller = { userId: 'bob', token: 'bob.b.b', admin: false };
const server: FakeServer = { tools: manyTools(1) };
const call = { name: 'tool_0', arguments: {} };
const url = 'https://a.example/mcp';
const HS256 = { issuer: 'https://gateway.example', alg: 'HS256' as const, key: '${env:KEY}' };
const secret = 'a secret of thirty-two characters';
const resolve = async (text: string) => text.replace('${env:KEY}', secret);
const mint = createMint({ mint: HS256, resolve, now: Date.now });

async function headersFor(entry: object, caller: Caller): Promise<Record<string, string>> {
  return identityAt(upstreamConfig({ transport: 'http', url, ...entry }), url, caller, mint).headers();
}

describe('what is forwarded to an upstream', () => {
  it.each([
    [{ transport: 'http', url }, 'session'],
    [{ transport: 'sse', url }, 'session'],
    [{ transport: 'http', url, headers: { aUTHORIZATION: 'Bearer own' } }, 'none'],
    [{ transport: 'http', url, headers: { Authorization: 'x' }, forward_auth: 'session' }, 'session'],
    [{ transport: 'http', url, headers: { 'X-Key': 'own' } }, 'session'],
    [{ transport: 'stdio', command: 'x' }, 'none'],
    [{ transport: 'stdio', command: 'x', forward_auth: 'session' }, 'none'],
    [{ transport: 'http', url, forward_auth: 'minted' }, 'minted'],
  ])('by %j is %s', (entry, expected) => {
    expect(forwardAuthOf(upstreamConfig(entry))).toBe(expected);
  });

  it('is the token as it came, for session', async () => {
    expect(await headersFor({}, ada)).toEqual({ authorization: 'Bearer ada.a.a' });
  });

  it.each(['sk-123', 'abc', 'a.b', 'a.b.c\r\nx: y', 'a.b.c.d'])(
    'is never the bearer %j that is no JWT',
    async (token) => {
      expect(await headersFor({}, { userId: 'ada', token, admin: false })).toEqual({});
    },
  );

  it.each(['session', 'minted', 'user_headers', 'none'])('is nothing for nobody, by %s', async (forward_auth) => {
    expect(await headersFor({ forward_auth }, ANONYMOUS)).toEqual({});
  });

  it('is nothing for none', async () => {
    expect(await headersFor({ forward_auth: 'none' }, ada)).toEqual({});
  });

  it('is who the user is, safe as header values, for user_headers', async () => {
    expect(await headersFor({ forward_auth: 'user_headers' }, ada)).toEqual({
      'x-user-id': 'ada',
      'x-user-email': 'ada@a.example',
      'x-user-name': 'Ada %C5%81ovelace',
      'x-user-role': 'user',
    });
    const evil = { userId: 'a\r\nx-user-role: admin', name: '100% \ud800', admin: false };
    expect(await headersFor({ forward_auth: 'user_headers' }, evil)).toEqual({
      'x-user-id': 'a%0D%0Ax-user-role: admin',
      'x-user-name': '100%25 %EF%BF%BD',
    });
  });

  it('is a fresh short token for that upstream alone, for minted', async () => {
    const tokens = await Promise.all([1, 2].map(() => headersFor({ forward_auth: 'minted' }, ada)));
    const [first, second] = tokens.map(({ authorization }) => String(authorization).replace('Bearer ', ''));
    const { payload } = await jwtVerify(first!, new TextEncoder().encode(secret), {
      issuer: HS256.issuer,
      audience: url,
      subject: 'ada',
      algorithms: ['HS256'],
    });
    expect(payload.exp! - payload.iat!).toBeLessThanOrEqual(300);
    expect(Object.keys(payload).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect(decodeJwt(second!).jti).not.toBe(payload.jti);
  });

  it.each(['ES256', 'RS256', 'EdDSA'] as const)('is signed with the configured key (%s)', async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const key = await exportPKCS8(privateKey);
    const signed = await createMint({ mint: { issuer: 'us', alg, key }, resolve, now: Date.now })(url, {
      ...ada,
      userId: 'ada',
    });
    expect(decodeProtectedHeader(signed)).toEqual({ alg, typ: 'JWT' });
    await jwtVerify(signed, publicKey, { issuer: 'us', audience: url });
  });

  it('never holds a secret in the key of its connection', () => {
    for (const forward_auth of ['session', 'minted', 'user_headers']) {
      const { key } = identityAt(upstreamConfig({ transport: 'http', url, forward_auth }), url, ada, mint);
      expect(key).toMatch(/^(session|minted|user):[0-9a-f]{64}$/);
    }
  });
});

describe('connections with an identity', () => {
  it('are never shared between callers, however many at once', async () => {
    await using running = await startHttp(server, {
      intercept: ({ method, message, headers }, response) => {
        if (method !== 'tools/call') return false;
        const echo = { content: [{ type: 'text', text: headers.authorization ?? 'none' }] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: echo }));
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const callers = Array.from({ length: 200 }, (_, i): Caller => {
      const user = `u${i % 20}`;
      return user === 'u0' ? ANONYMOUS : { userId: user, token: `${user}.x.y`, admin: false };
    });
    const echoes = await Promise.all(
      callers.map(async (caller) => {
        const { content } = await upstream.callTool(call, { caller, timeoutMs: 20_000 });
        return content?.[0]?.['text'];
      }),
    );
    expect(echoes).toEqual(callers.map(({ token }) => (token ? `Bearer ${token}` : 'none')));
    const sessions = new Map<string, Set<string | undefined>>();
    for (const { headers } of running.seen) {
      const session = headers['mcp-session-id'];
      if (session)
        sessions.set(String(session), (sessions.get(String(session)) ?? new Set()).add(headers.authorization));
    }
    expect(sessions.size).toBe(20);
    expect([...sessions.values()].every((owners) => owners.size === 1)).toBe(true);
  });

  it('carry it on every request, beside the configured headers, which it may replace', async () => {
    await using running = await startHttp(server);
    const headers = { 'X-Key': '${env:KEY}', Authorization: 'Bearer own' };
    await using upstream = connectTo(
      { transport: 'http', url: running.url, headers, forward_auth: 'session' },
      { resolve },
    );
    await upstream.callTool(call, { caller: ada });
    expect(new Set(running.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ada.a.a']));
    expect(new Set(running.seen.map((seen) => seen.headers['x-key']))).toEqual(new Set([secret]));
  });

  it('keep the server own credentials for everybody where it has them', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url, headers: { Authorization: 'Bearer own' } });
    for (const caller of [ada, bob]) await upstream.callTool(call, { caller });
    expect(new Set(running.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer own']));
    expect(running.count('initialize')).toBe(1);
  });

  it('are used again with a newly minted token each request', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url, forward_auth: 'minted' }, { mint });
    for (let i = 0; i < 3; i++) await upstream.callTool(call, { caller: ada });
    expect(running.count('initialize')).toBe(1);
    const tokens = running.seen.map(({ headers }) => String(headers.authorization));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(decodeJwt(tokens[0]!.slice(7))).toMatchObject({ aud: running.url, sub: 'ada' });
  });

  it.each([
    ['http://a.example:1/mcp', false],
    ['http://192.0.2.1:1/mcp', false],
    ['http://169.254.169.254/mcp', false],
    ['http://127.0.0.1:1/mcp', true],
    ['http://localhost:1/mcp', true],
    ['http://10.1.2.3:1/mcp', true],
    ['http://[::1]:1/mcp', true],
    ['http://[::ffff:8.8.8.8]:1/mcp', false],
    ['https://a.example:1/mcp', true],
  ])('to %s may carry a secret: %s', async (address, allowed) => {
    const { maySendSecrets } = await import('../../lib/upstream/private-address.ts');
    expect(await maySendSecrets(new URL(address))).toBe(allowed);
  });

  it('to a public address over plain http carry none, which the log says once', async () => {
    const lines: [string, LogFields | undefined][] = [];
    const log = (_: string, msg: string, fields?: LogFields) => void lines.push([msg, fields]);
    await using upstream = connectTo(
      { transport: 'http', url: 'http://192.0.2.1:9/mcp', connect_timeout_s: 0.1 },
      { log },
    );
    for (let i = 0; i < 2; i++) await upstream.callTool(call, { caller: ada }).catch(() => {});
    expect(lines).toEqual([['upstream identity withheld: plain http to a public address', { upstream: 'fake' }]]);
  });

  it('are never followed to another origin', async () => {
    await using thief = await startHttp(server);
    await using running = await startHttp(server, {
      intercept: (_, response) => {
        response.writeHead(307, { location: thief.url }).end();
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, { caller: ada })).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'Server "fake" is not available: it answers with a redirect to another origin: set its final url.',
    });
    expect(thief.seen).toEqual([]);
  });

  it('are followed within the origin', async () => {
    await using running = await startHttp(server, {
      intercept: ({ path }, response) => {
        if (path !== '/mcp/') return false;
        response.writeHead(307, { location: '/mcp' }).end();
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: `${running.url}/` });
    expect(await upstream.callTool(call, { caller: ada })).toHaveProperty('content');
  });

  it('leave no token in an error', async () => {
    await using running = await startHttp(server, {
      intercept: ({ headers }, response) => {
        response.writeHead(500).end(`failed for ${headers.authorization}`);
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const error: unknown = await upstream.callTool(call, { caller: ada }).catch((reason: unknown) => reason);
    expect(String(error)).not.toContain('ada.a.a');
    expect(JSON.stringify(error)).not.toContain('ada.a.a');
  });

  it.each([200, 400])('leave no secret in the words of an upstream that repeats it, by HTTP %i', async (status) => {
    const token = [{ alg: 'HS256' }, { id: 'ada' }, 'x']
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    await using running = await startHttp(server, {
      intercept: ({ method, headers, message }, response) => {
        if (method !== 'tools/call') return false;
        const { authorization, 'x-team-key': key, 'x-reference': reference, 'x-team': team } = headers;
        const error = {
          code: -32000,
          message: `no ${authorization} for ${key} of ${team}`,
          data: { at: [reference, 7] },
        };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
        return true;
      },
    });
    const headers = { 'X-Team-Key': 'Basic written-out', 'X-Reference': '${env:KEY}', 'X-Team': 'platform' };
    await using upstream = connectTo({ transport: 'http', url: running.url, headers }, { resolve });
    await expect(upstream.callTool(call, { caller: { ...ada, token } })).rejects.toMatchObject({
      rpc: { code: -32000, message: 'no Bearer *** for Basic *** of platform', data: { at: ['***', 7] } },
    });
    await using own = connectTo({ transport: 'http', url: running.url, headers: { Authorization: 'Bearer own-key' } });
    await expect(own.callTool(call, { caller: ada })).rejects.toMatchObject({
      message: 'no Bearer *** for undefined of undefined',
    });
  });
});
