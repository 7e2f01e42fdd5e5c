import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  Client,
  SSEClientTransport as ModernSseTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connected,
  type GatewayProcess,
  LAUNCHER,
  REFERENCE_SERVERS,
  startGateway,
} from '../../support/gateway-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = (...path: string[]) => join(root, 'node_modules', ...path);
const upstream = REFERENCE_SERVERS.filter(({ name }) => name === 'everything');
const SUM = 'The sum of 2 and 40 is 42.';
const call = { name: 'everything__get-sum', arguments: { a: 2, b: 40 } };

let http: GatewayProcess;
let sse: GatewayProcess;

beforeAll(async () => {
  http = await startGateway({ upstream });
  sse = await startGateway({ upstream }, ['--server-transport', 'sse']);
  await connected(http, ['everything']);
  await connected(sse, ['everything']);
}, 60_000);

afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  await sse?.[Symbol.asyncDispose]();
});

type AnyClient = Pick<OldClient, 'listTools' | 'callTool' | 'close'>;

/** What every client does: list, call a tool, run a script, go. */
async function use(client: AnyClient): Promise<void> {
  // A process that has just started lists a server's tools as soon as it is connected, which a busy machine may delay.
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  await expect.poll(names, { timeout: 20_000, interval: 200 }).toContain(call.name);
  const result = (await client.callTool(call)) as { content: { text: string }[] };
  expect(result.content[0]!.text).toBe(SUM);
  const code = 'everything.get_sum({ a: 2, b: 40 })';
  const script = (await client.callTool({ name: 'execute_code', arguments: { code } })) as {
    content: { text: string }[];
  };
  expect(JSON.parse(script.content[0]!.text)).toMatchObject({ ok: true, value: SUM });
  await client.close();
}

describe('the SDK of the older line', () => {
  it('works over Streamable HTTP', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new OldHttpTransport(new URL(http.url)) as never);
    await use(client);
  });

  it('works over HTTP+SSE', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new SSEClientTransport(new URL(`${sse.address}/sse`)));
    await use(client);
  });

  it('works over stdio, which ends when the client goes', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    const args = [LAUNCHER, '--config', configFile(), '--server-transport', 'stdio'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    await use(client);
  });
});

describe('the SDK of the newer line', () => {
  it.each([
    ['legacy', 'legacy'],
    ['auto', 'modern'],
    [{ pin: '2026-07-28' }, 'modern'],
  ])('works over Streamable HTTP in mode %j', async (mode, era) => {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } } as never);
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
    expect(client.getProtocolEra()).toBe(era);
    await use(client as never);
  });

  it('works over HTTP+SSE', async () => {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'legacy' } } as never);
    await client.connect(new ModernSseTransport(new URL(`${sse.address}/sse`)));
    await use(client as never);
  });

  it.each(['legacy', 'modern'])('works over stdio in the %s era', async (era) => {
    const { StdioClientTransport: Stdio } = await import('@modelcontextprotocol/client/stdio');
    const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } } as never);
    await client.connect(
      new Stdio({
        command: process.execPath,
        args: [LAUNCHER, '--config', configFile(), '--server-transport', 'stdio'],
        stderr: 'ignore',
      }),
    );
    expect(client.getProtocolEra()).toBe(era);
    await use(client as never);
  });
});

describe('the Inspector', () => {
  it.each(['legacy', 'modern'])('lists, calls and runs a script in the %s era', async (era) => {
    const inspect = async (...args: string[]) => {
      const all = ['--cli', '--server-url', http.url, '--transport', 'http', '--protocol-era', era, ...args];
      const { stdout } = await run(bin('.bin', 'mcp-inspector'), all, {
        env: { ...process.env, PATH: `${bin('.bin')}:${process.env.PATH}` },
      });
      return JSON.parse(stdout) as { tools: { name: string }[]; content: { text: string }[] };
    };
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.map(({ name }) => name)).toContain(call.name);
    const sum = await inspect('--method', 'tools/call', '--tool-name', call.name, '--tool-arg', 'a=2', 'b=40');
    expect(sum.content[0]!.text).toBe(SUM);
    const code = 'code=1 + 1';
    const script = await inspect('--method', 'tools/call', '--tool-name', 'execute_code', '--tool-arg', code);
    expect(JSON.parse(script.content[0]!.text)).toMatchObject({ value: 2 });
  });
});

describe('bridges', () => {
  it('mcp-remote makes a stdio server of us', async () => {
    const client = new OldClient({ name: 'bridge', version: '1' });
    const args = [bin('mcp-remote', 'dist', 'proxy.js'), http.url];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    await use(client);
  });

  it('supergateway makes a stdio server of us', async () => {
    const client = new OldClient({ name: 'bridge', version: '1' });
    const args = [bin('supergateway', 'dist', 'index.js'), '--streamableHttp', http.url];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    await use(client);
  });
});

/** The configuration of the running HTTP gateway, for a process of its own. */
function configFile(): string {
  const at = http.child.spawnargs.indexOf('--config');
  return http.child.spawnargs[at + 1]!;
}
