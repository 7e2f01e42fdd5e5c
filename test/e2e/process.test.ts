import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { LAUNCHER, REFERENCE_SERVERS, startGateway } from '../support/gateway-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** A configuration file with this in it. */
function fileOf(config: object): string {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Runs a gateway to its end; `input` is piped in and ended. */
async function ended(config: object, input = '', args: string[] = []) {
  const child = spawn(process.execPath, [LAUNCHER, '--config', fileOf(config), ...args]);
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** The answers among the messages; a list that changes meanwhile is told of between them. */
function answersIn(stdout: string) {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: number; result: Record<string, unknown> })
    .filter(({ id }) => id !== undefined);
}

const rpc = (id: number, method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = rpc(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'shell', version: '1.0' },
});
const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'shell', version: '1.0' },
};

describe('stdio', () => {
  const everything = REFERENCE_SERVERS.filter(({ name }) => name === 'everything');

  it('answers all that is piped in before the process ends, in order of what is ready', async () => {
    const slow = { name: 'everything__trigger-long-running-operation', arguments: { duration: 0.5, steps: 1 } };
    const script = { name: 'execute_code', arguments: { code: '6 * 7' } };
    const input = [
      hello,
      ready,
      rpc(2, 'tools/call', slow),
      rpc(3, 'tools/call', script),
      rpc(4, 'tools/list'),
      '',
    ].join('\n');
    const { code, stdout } = await ended({ server: { transport: 'stdio' }, upstream: everything }, input);
    const answers = answersIn(stdout);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    expect(code).toBe(0);
  });

  it('works in the modern era, and without an end of line at the end', async () => {
    const input = [rpc(1, 'server/discover', { _meta: MODERN }), rpc(2, 'tools/list', { _meta: MODERN })].join('\n');
    const { stdout } = await ended({ server: { transport: 'stdio' } }, `${input}\n`);
    const answers = answersIn(stdout);
    expect(answers.map(({ id, result }) => [id, result.resultType])).toEqual([
      [1, 'complete'],
      [2, 'complete'],
    ]);
  });

  it('writes nothing but the protocol to stdout: the log goes to stderr', async () => {
    const config = { server: { transport: 'stdio' }, log: { level: 'debug' }, upstream: everything };
    const { stdout, stderr } = await ended(config, `${hello}\n${ready}\n`);
    expect(
      stdout
        .trim()
        .split('\n')
        .every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === '2.0'),
    ).toBe(true);
    expect(stderr).toContain('"server starting"');
    expect(
      stderr
        .trim()
        .split('\n')
        .every((line) => line.startsWith('{"time"')),
    ).toBe(true);
  });

  it('says nothing on stderr either where the log is off', async () => {
    const { stderr } = await ended({ server: { transport: 'stdio' } }, `${hello}\n`);
    expect(stderr).toBe('');
  });

  it('says on stderr who is let in though a token is required, even where the log is off', async () => {
    const auth = { jwt_secret: 'x'.repeat(32), require: true };
    const { stdout, stderr } = await ended({ server: { transport: 'stdio' }, auth }, `${hello}\n`);
    expect(answersIn(stdout)).toHaveLength(1);
    expect(stderr).toMatch(/^warning: .* auth\.require: does not hold over stdio, .*\n$/);
    const logged = await ended({ server: { transport: 'stdio' }, auth, log: { level: 'warn' } }, `${hello}\n`);
    expect(logged.stderr.split('auth.require: does not hold')).toHaveLength(2);
    expect(logged.stderr).not.toMatch(/^warning:/m);
  });

  it('ends at once when nothing is piped in', async () => {
    expect((await ended({ server: { transport: 'stdio' } })).code).toBe(0);
  });
});

describe('http', () => {
  it('says on stderr where it listens, and nothing else, where the log is off', async () => {
    const file = fileOf({ server: { transport: 'http', address: '127.0.0.1:0' } });
    const child = spawn(process.execPath, [LAUNCHER, '--config', file]);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(stderr).toMatch(/^MCP Code Mode: listening on http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
    expect(stdout).toBe('');
  });
});

describe('a start that fails', () => {
  it('over a port in use says so, in the log and on stderr', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
    const config = { server: { transport: 'http', address }, log: { level: 'error' } };
    const { code, stdout, stderr } = await ended(config);
    taken.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ level: 'ERROR', msg: 'http server bind failed', address });
    expect(JSON.parse(stdout).error).toContain('address already in use');
    expect(stderr).toContain(`cannot listen on ${address}: address already in use`);
  });

  it.each([
    ['203.0.113.7:8000', 'this machine has no such address'],
    ['no-such-host.invalid:8000', 'the host name is unknown'],
  ])('over the address %s says why, on stderr though the log is off', async (address, why) => {
    const { code, stdout, stderr } = await ended({ server: { transport: 'http', address } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(why);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['store.dir', { store: { dir: fileURLToPath(import.meta.url) } }, 'cannot be used: it is a file'],
    ['log.file', { log: { level: 'info', file: tmpdir() } }, 'cannot be opened: it is a folder'],
  ])('over %s names the key and says why', async (key, config, why) => {
    const { code, stderr } = await ended({ server: { transport: 'stdio' }, ...config });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: ${key}: .* ${why}\n$`));
  });

  it('over a mistake in the configuration says each in a line', async () => {
    const { code, stderr } = await ended({ server: { transport: 'htp' }, lmits: {} });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n').length).toBe(2);
  });
});

describe('SSE', () => {
  it('lets nobody in where auth.require wants a user, for it knows none', async () => {
    const server = { transport: 'sse', address: '127.0.0.1:0' };
    await using gateway = await startGateway({ server, auth: { jwt_secret: 'x'.repeat(32), require: true } });

    const opened = await fetch(`${gateway.address}/sse`, { headers: { accept: 'text/event-stream' } });
    expect(opened.status).toBe(401);
    expect(await opened.text()).toContain('use /mcp with a token');
    expect((await fetch(`${gateway.address}/messages?sessionId=x`, { method: 'POST' })).status).toBe(401);
  });
});

describe('upstreams that fail', () => {
  it('never delay the start, and each is told of with its reason', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    await using gateway = await startGateway({
      upstream: [
        { name: 'hung', transport: 'http', url: `http://127.0.0.1:${port}/mcp`, connect_timeout_s: 1 },
        { name: 'refused', transport: 'http', url: 'http://127.0.0.1:1/mcp', connect_timeout_s: 5 },
        { name: 'missing', transport: 'stdio', command: 'no-such-command' },
        ...REFERENCE_SERVERS.filter(({ name }) => name === 'memory'),
      ],
    });
    const messages = gateway.lines.map(({ msg }) => msg);
    expect(messages.indexOf('http server listening')).toBeLessThan(
      messages.includes('upstream failed') ? messages.indexOf('upstream failed') : Number.POSITIVE_INFINITY,
    );
    const failed = (name: string) =>
      gateway.line(({ msg, upstream }) => msg === 'upstream failed' && upstream === name);
    expect((await failed('hung')).error).toContain('1 s');
    expect((await failed('refused')).error).toMatch(/refused/i);
    expect((await failed('missing')).error).toContain('its command');
    await gateway.line(({ msg, upstream }) => msg === 'upstream connected' && upstream === 'memory');
    silent.close();
  });
});

describe('a proxy that the environment names', () => {
  const proxy = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  const seen: string[] = [];
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  afterAll(() => {
    delete process.env['HTTP_PROXY'];
    delete process.env['HTTPS_PROXY'];
    proxy.close();
  });

  it('is asked for upstreams and key sets', async () => {
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    process.env['HTTP_PROXY'] = process.env['HTTPS_PROXY'] = `http://127.0.0.1:${port}`;
    await using gateway = await startGateway({
      auth: { jwks_url: 'https://keys.example.test/jwks', issuer: 'https://keys.example.test', audience: 'us' },
      upstream: [{ name: 'away', transport: 'http', url: 'http://tools.example.test/mcp' }],
    });
    await gateway.line(({ msg, upstream }) => msg === 'upstream failed' && upstream === 'away');
    expect(seen).toContain('POST http://tools.example.test/mcp');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { sub: 'ada', iss: 'https://keys.example.test', aud: 'us', exp: 4102444800 };
    const token = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}.c2lnbmF0dXJl`;
    await fetch(gateway.url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' });
    expect(seen).toContain('CONNECT keys.example.test:443');
  });
});

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s is orderly', async (signal) => {
    const gateway = await startGateway({});
    gateway.child.kill(signal);
    const code = await new Promise((resolve) => gateway.child.once('exit', resolve));
    expect(code).toBe(0);
    expect(gateway.lines.at(-1)!.msg).toBe('server stopped');
    await gateway[Symbol.asyncDispose]();
  });
});

describe('the log', () => {
  it('goes to a file, appended, where one is named', async () => {
    const file = join(folder, 'gateway.log');
    for (let i = 0; i < 2; i++) {
      await ended({ server: { transport: 'stdio' }, log: { level: 'info', file } }, `${hello}\n`);
    }
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => msg === 'server starting')).toHaveLength(2);
  });

  it('of a whole run holds no token, header, body, code or argument', async () => {
    const config = {
      log: { level: 'debug' },
      auth: { jwt_secret: 'SECRET-KEY-of-at-least-32-bytes-long', invalid_jwt: 'skip', allow_unverified: true },
      upstream: [{ ...REFERENCE_SERVERS[0]!, env: { TOKEN: 'SECRET-ENV' } }],
    };
    await using gateway = await startGateway(config);
    await gateway.line(({ msg }) => msg === 'upstream connected');
    const token = `e30.${Buffer.from(JSON.stringify({ id: 'ada', exp: 4102444800 })).toString('base64url')}.SECRETSIG`;
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'x-other': 'SECRET-HEADER',
    };
    const post = async (body: unknown) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${gateway.url}?q=SECRET-QUERY`, { method: 'POST', headers, body: text });
      headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
      return response.text();
    };
    await post(JSON.parse(hello));
    const call = (name: string, args: object) => post(JSON.parse(rpc(5, 'tools/call', { name, arguments: args })));
    await call('execute_code', {
      code: 'console.log("SECRET-LOG"); everything.echo({ message: "SECRET-ARG" }); throw "SECRET-THROWN"',
    });
    await call('execute_code', { code: 'everything.echo({ mesage: "SECRET-ARG" })', params: { a: 'SECRET-PARAM' } });
    await call('everything__echo', { message: 'SECRET-ARG' });
    await call('everything__echo', { wrong: 'SECRET-ARG' });
    await call('SECRET-TOOL-NAME-is-not-secret', {});
    await post('{"SECRET-BODY":');
    await fetch(gateway.url, {
      method: 'POST',
      headers: { ...headers, origin: 'https://SECRET-ORIGIN.example' },
      body: '{}',
    });
    await gateway.line(({ msg, status }) => msg === 'http request' && status === 403);
    const log = gateway.lines
      .map((line) => JSON.stringify(line))
      .join('\n')
      .replaceAll('SECRET-TOOL-NAME-is-not-secret', '');
    expect(log).toContain('"execute code"');
    expect(log).toContain('"proxy call"');
    expect(log).not.toContain('SECRET');
    expect(log).not.toContain(token.slice(0, 20));
    expect(log).not.toContain(headers['mcp-session-id']);
  });
});
