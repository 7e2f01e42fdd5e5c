import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningServer } from '../support/upstreams/http-server.ts';
import { startEchoUpstream } from './echo-upstream.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { connect, initialize } from './legacy-client.ts';
import { hmacToken, part, rsaKeys, rsaToken } from './tokens.ts';

// Each test starts a gateway of its own.
vi.setConfig({ testTimeout: 120_000 });

const USER = '2d95199f-1f70-4690-9b4a-8f98280ca9da';
const OTHER = '00000000-1f70-4690-9b4a-8f98280ca9da';
const seconds = Math.floor(Date.now() / 1000);

/** The settings as the page gives them, by the comment they begin with. */
const page = readFileSync(new URL('../../docs/OPEN-WEBUI.md', import.meta.url), 'utf8');
const settings = new Map([...page.matchAll(/```yaml\n# ([^\n]+)\n(.*?)```/gs)].map(([, name, yaml]) => [name!, yaml!]));

const env: Record<string, string> = {
  WEBUI_SECRET_KEY: 't0p-s3cr3t',
  FORWARD_USER_INFO_HEADER_JWT_SECRET: 'another-secret-of-thirty-two-bytes-',
  MINT_KEY: 'the-key-this-gateway-signs-with-itself',
};

let upstream: RunningServer;
let keys: Server;
let jwksUrl: string;
let gateway: GatewayProcess | undefined;
beforeAll(async () => {
  upstream = await startEchoUpstream();
  const jwk = { ...rsaKeys.publicKey.export({ format: 'jwk' }), kid: 'one' };
  keys = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((done) => keys.listen(0, '127.0.0.1', done));
  env['UPSTREAM_URL'] = upstream.url;
  jwksUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks`;
});
afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
});
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  keys.close();
});

/** Starts the gateway with the settings of that name. */
async function startWith(name: string): Promise<string> {
  const yaml = settings.get(name);
  if (!yaml) throw new Error(`the page has no settings "${name}"`);
  gateway = await startGateway(yaml.replace('https://login.example.org/jwks', jwksUrl), env);
  return gateway.url;
}

const session = (id: string, more: object = {}) => {
  const claims = { id, exp: seconds + 3600, iat: seconds, jti: 'a-b-c', ...more };
  return { authorization: `Bearer ${hmacToken(claims, env['WEBUI_SECRET_KEY'])}` };
};
const whoami = async (url: string, headers: Record<string, string>) =>
  JSON.parse(await (await connect(url, headers)).call('team_files__whoami'));
const claimsOf = (authorization: string) =>
  JSON.parse(Buffer.from(authorization.split('.')[1]!, 'base64url').toString());

describe('Open-WebUI, as docs/OPEN-WEBUI.md sets it up', () => {
  it('is described by settings that are all tried here', () => {
    expect([...settings.keys()].sort()).toEqual([
      'anonymous',
      'groups',
      'minted',
      'oauth',
      'one group',
      'session',
      'user information',
    ]);
  });

  it('works with the session of its user, whose rights count', async () => {
    const url = await startWith('session');
    expect(await (await connect(url, session(USER))).tools()).toContain('team_files__whoami');
    expect(await (await connect(url, session(OTHER))).tools()).not.toContain('team_files__whoami');
    expect(await whoami(url, session(USER))).toEqual({ tool: 'whoami' });
    const older = { sub: USER, id: undefined as never, email: 'a@b', name: 'A', role: 'user', iss: 'open-webui' };
    expect(await (await connect(url, session(USER, older))).tools()).toContain('team_files__whoami');
    for (const anonymous of [{}, { authorization: 'Bearer' }, { authorization: 'Bearer sk-1f2e' }]) {
      expect(await (await connect(url, anonymous)).tools()).not.toContain('team_files__whoami');
    }
    const endless = await initialize(url, session(USER, { exp: undefined }));
    expect(endless.status).toBe(401);
    expect(await endless.text()).toContain('The token has no usable \\"exp\\" claim');
  });

  it('works with forwarded user information, whatever the bearer', async () => {
    const url = await startWith('user information');
    const claims = {
      sub: USER,
      email: 'a@b.example',
      name: 'Ann',
      role: 'user',
      iss: 'open-webui',
      iat: seconds,
      exp: seconds + 300,
    };
    const information = { 'x-openwebui-user-jwt': hmacToken(claims, env['FORWARD_USER_INFO_HEADER_JWT_SECRET']) };
    for (const bearer of [{}, { authorization: 'Bearer some-connection-key' }, session(OTHER)]) {
      expect(await whoami(url, { ...bearer, ...information })).toEqual({ tool: 'whoami', user: USER });
    }
    expect((await initialize(url, {})).status).toBe(401);
    expect((await initialize(url, { 'x-openwebui-user-id': USER })).status).toBe(401);
    expect((await initialize(url, session(USER))).status).toBe(401);
  });

  it('works without users, with any bearer', async () => {
    const url = await startWith('anonymous');
    for (const headers of [{}, { authorization: 'Bearer any-key' }, { authorization: 'Bearer' }, session(USER)]) {
      expect(await whoami(url, headers)).toEqual({ tool: 'whoami' });
    }
  });

  it('works with the access token of an identity provider, and is shown the way to it', async () => {
    const url = await startWith('oauth');
    const claims = {
      sub: USER,
      iss: 'https://login.example.org',
      aud: 'https://tools.example.org/mcp',
      exp: seconds + 60,
    };
    expect(await whoami(url, { authorization: `Bearer ${rsaToken(claims)}` })).toEqual({ tool: 'whoami' });
    const refused = await initialize(url, { authorization: `Bearer ${rsaToken({ ...claims, aud: 'https://other' })}` });
    expect(refused.status).toBe(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(await (await fetch(metadata!)).json()).toMatchObject({
      authorization_servers: ['https://login.example.org'],
    });
    expect((await initialize(url, { authorization: `Bearer ${part({ opaque: true })}` })).status).toBe(401);
  });

  it('keeps its session token to itself where tokens are minted', async () => {
    const url = await startWith('minted');
    const { authorization } = await whoami(url, session(USER));
    expect(claimsOf(authorization)).toMatchObject({ iss: 'https://tools.example.org', aud: upstream.url, sub: USER });
    expect(claimsOf(authorization).exp - claimsOf(authorization).iat).toBeLessThanOrEqual(300);
    expect(authorization).not.toBe(session(USER).authorization);
  });

  it('opens a tool to a group', async () => {
    const url = await startWith('groups');
    const sheet = async (id: string) =>
      (await connect(url, session(id))).call('get_functions_description', { language: 'javascript' });
    expect(await sheet(USER)).toContain('delete_path');
    expect(await sheet(OTHER)).not.toContain('delete_path');
  });

  it('closes a whole server to those outside of one group', async () => {
    const url = await startWith('one group');
    const member = await connect(url, session(USER));
    expect(await member.tools()).toEqual(expect.arrayContaining(['team_files__whoami', 'team_files__delete_path']));
    expect(await member.call('list_servers')).toContain('team-files');
    for (const headers of [session(OTHER), {}]) {
      const outsider = await connect(url, headers);
      expect((await outsider.tools()).filter((name) => name.startsWith('team_files'))).toEqual([]);
      expect(await outsider.call('list_servers')).not.toContain('team-files');
      const sheet = await outsider.call('get_functions_description', { language: 'javascript' });
      expect(sheet).not.toContain('team_files');
    }
  });
});
