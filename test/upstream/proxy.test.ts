import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { proxySettings } from '../../lib/upstream/proxy-settings.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { type RunningServer, startHttp } from '../support/upstreams/http-server.ts';

const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
let upstream: RunningServer;
let proxy: ReturnType<typeof createServer>;
let address: string;
/** What the proxy was asked for. */
let seen: string[];
/** The first bytes of what went through each tunnel. */
let tunnelled: Buffer[];
/** Whether the proxy opens tunnels. */
let opens: boolean;

beforeEach(async () => {
  upstream = await startHttp({ tools });
  [seen, tunnelled, opens] = [[], [], true];
  // Every name leads to the one upstream.
  proxy = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const { pathname } = new URL(incoming.url!);
    const { port } = new URL(upstream.url);
    const onward = { host: '127.0.0.1', port, path: pathname, method: incoming.method, headers: incoming.headers };
    incoming.pipe(request(onward, (answer) => answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers))));
  });
  proxy.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    if (!opens) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', (data) => {
      tunnelled.push(data);
      socket.destroy();
    });
    return socket.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await upstream[Symbol.asyncDispose]();
});

/** Lists an upstream's tools with an environment; an error's text where that fails. */
async function list(url: string, env: Record<string, string>, entry: object = {}, caller = ANONYMOUS) {
  const settings = proxySettings(env, (text) => seen.push(text));
  await using connection = connectTo({ transport: 'http', url, connect_timeout_s: 5, ...entry }, { proxy: settings });
  const signal = new AbortController().signal;
  return connection.listTools({ caller, signal }).then(
    (listed) => listed.map(({ name }) => name),
    (error: Error) => error.message,
  );
}

describe('a proxy of the environment', () => {
  it.each([
    ['HTTP_PROXY', 'http://'],
    ['http_proxy', 'http://'],
    ['HTTP_PROXY', ''],
  ])('carries an upstream over plain http: %s=%s…', async (name, scheme) => {
    expect(await list('http://tools.example.test:8080/mcp', { [name]: scheme + address })).toEqual(['echo']);
    expect(new Set(seen)).toEqual(new Set(['POST http://tools.example.test:8080/mcp']));
    expect(upstream.seen[0]!.headers.host).toBe('tools.example.test:8080');
  });

  it('carries an upstream over https through a tunnel, encrypted to its end', async () => {
    await list('https://tools.example.test/mcp', { HTTPS_PROXY: address });
    expect(seen).toContain('CONNECT tools.example.test:443');
    const hello = tunnelled[0]!;
    // A TLS handshake that names the server.
    expect(hello[0]).toBe(0x16);
    expect(hello.includes('tools.example.test')).toBe(true);
  });

  it('is said to stand in the way where it refuses', async () => {
    opens = false;
    const said = await list('https://tools.example.test/mcp', { HTTPS_PROXY: `http://me:s3cret@${address}` });
    expect(said).toContain('the proxy on the way (HTTPS_PROXY) did not let the connection through');
    expect(said).not.toContain('s3cret');
  });

  it('is passed by on this machine, unless NO_PROXY is there and empty', async () => {
    const { port } = new URL(upstream.url);
    for (const env of [{}, { NO_PROXY: 'example.com' }]) {
      expect(await list(upstream.url, { HTTP_PROXY: address, ...env })).toEqual(['echo']);
      expect(await list(`http://localhost:${port}/mcp`, { HTTP_PROXY: address, ...env })).toEqual(['echo']);
    }
    expect(seen).toEqual([]);
    expect(await list(upstream.url, { HTTP_PROXY: address, NO_PROXY: '' })).toEqual(['echo']);
    expect(seen).toContain(`POST ${upstream.url}`);
  });

  it('is passed by for what NO_PROXY names', async () => {
    const env = { HTTP_PROXY: address, no_proxy: 'tools.invalid,.example.test', NO_PROXY: 'other.invalid' };
    expect(await list('http://tools.invalid/mcp', env)).toContain('its host name');
    expect(seen).toEqual([]);
    expect(await list('http://other.invalid/mcp', env)).toEqual(['echo']);
  });

  it('is not handed an identity over plain http', async () => {
    const entry = { forward_auth: 'user_headers' };
    const ada = { ...ANONYMOUS, userId: 'ada' };
    const { port } = new URL(upstream.url);
    const env = { HTTP_PROXY: address, NO_PROXY: '' };
    expect(await list(`http://127.0.0.1:${port}/mcp`, env, entry, ada)).toEqual(['echo']);
    expect(upstream.seen[0]!.headers['x-user-id']).toBe('ada');
    expect(seen).toEqual([]);
  });

  it('that is none is told of and not used', () => {
    const told: string[] = [];
    expect(proxySettings({ HTTPS_PROXY: 'socks5://127.0.0.1:1' }, (text) => told.push(text))).toBeUndefined();
    expect(told).toEqual([expect.stringContaining('HTTPS_PROXY is not used')]);
    expect(proxySettings({ NO_PROXY: '*', HTTP_PROXY: '' }, (text) => told.push(text))).toBeUndefined();
    expect(told).toHaveLength(1);
  });
});
