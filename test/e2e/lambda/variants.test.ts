import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startHttp } from '../../support/upstreams/http-server.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { CLIENTS, connect } from './sdk-clients.ts';

const ISSUER = 'https://login.example.org';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const keys = await generateKeyPair('RS256');
const forgers = await generateKeyPair('RS256');

/** A token of the identity provider; there is no secret that we and it share. */
const tokenOf = (sub: string, { privateKey } = keys) =>
  new SignJWT({ sub, iss: ISSUER })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setExpirationTime('1h')
    .sign(privateKey);

let provider: Server;
let upstream: RunningServer;
beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' };
  provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  upstream = await startHttp({
    tools: [{ name: 'add', inputSchema: { type: 'object' } }],
    call: (_name, args) => ({ content: [], structuredContent: { sum: Number(args['a']) + Number(args['b']) } }),
  });
});
afterAll(async () => {
  provider?.close();
  await upstream?.[Symbol.asyncDispose]();
});

describe.each([
  { endpoint: 'rest', isolation: 'shared', address: 'https://id.execute-api.eu-central-1.amazonaws.com/prod' },
  { endpoint: 'function-url', isolation: 'shared', address: 'https://id.lambda-url.eu-central-1.on.aws' },
  { endpoint: 'rest', isolation: 'per-user', address: 'https://id.execute-api.eu-central-1.amazonaws.com/prod' },
] as const)('endpoint $endpoint, isolation $isolation', ({ endpoint, isolation, address }) => {
  let cloud: Cloud;
  beforeAll(async () => {
    const { port } = provider.address() as AddressInfo;
    cloud = await startCloud({
      config: {
        auth: { require: true, jwks_url: `http://127.0.0.1:${port}/jwks`, issuer: ISSUER },
        upstream: [{ name: 'calculator', alias: 'calc', transport: 'http', url: upstream.url }],
      },
      endpoint,
      isolation,
      least: 2,
      most: 2,
    });
    await cloud.refresh();
  });
  afterAll(() => cloud?.[Symbol.asyncDispose]());

  it.each(CLIENTS)('initializes, lists and runs a script: %s', async (name) => {
    const client = await connect(name, cloud.url, await tokenOf('ada'));
    expect(await client.tools()).toEqual(expect.arrayContaining(['execute_code', 'calc__add']));
    const code = 'function Run(p) { return calc.add(p).sum }';
    expect(await client.run({ code, params: { a: 2, b: 40 } })).toMatchObject({ ok: true, value: 42, toolCalls: 1 });
    await client.close();
    expect(cloud.front.failures).toEqual([]);
  });

  it('refuses a session to another user', async () => {
    const mine = await connect('sdk 1.32', cloud.url, await tokenOf('ada'));
    const theirs = await connect('sdk 1.32', cloud.url, await tokenOf('eve'), mine.session);
    await expect(theirs.call('list_servers', {})).rejects.toThrow(/Session not found/);
    expect(await mine.tools()).toContain('execute_code');
    await mine.close();
  });

  it('answers a forged token with 401, in the protocol’s own form, and where to get a good one', async () => {
    const ask = (authorization?: string) =>
      fetch(cloud.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify(INITIALIZE),
      });
    const good = await tokenOf('ada');
    expect((await ask(`Bearer ${good}`)).status).toBe(200);
    for (const bad of [`Bearer ${await tokenOf('ada', forgers)}`, `Bearer ${good.slice(0, -4)}AAAA`, undefined]) {
      const response = await ask(bad);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
      // The function's own header is renamed on the way; API Gateway's is not.
      const header = isolation === 'per-user' ? 'www-authenticate' : 'x-amzn-remapped-www-authenticate';
      expect(response.headers.get(header)).toBe(
        `Bearer resource_metadata="${address}/.well-known/oauth-protected-resource"`,
      );
    }
  });

  it('tells without a token whose tokens it takes, under its public address', async () => {
    const response = await fetch(`${cloud.front.url}/.well-known/oauth-protected-resource`);
    expect(await response.json()).toMatchObject({ resource: `${address}/mcp`, authorization_servers: [ISSUER] });
    expect((await fetch(`${cloud.front.url}/healthz`)).status).toBe(200);
  });

  if (isolation === 'shared') return;
  it('serves each user, and the public part, in environments of their own', async () => {
    const tenants = [...cloud.tenants.keys()];
    expect(tenants.filter((tenant) => /^[0-9a-f]{64}$/.test(tenant))).toHaveLength(2);
    expect(tenants.filter((tenant) => tenant === 'public')).toHaveLength(1);
    expect(tenants).toHaveLength(3);
    expect(cloud.fleet.servedBy).toEqual([]);
  });
});
