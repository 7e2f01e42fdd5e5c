import { readFileSync } from 'node:fs';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connected, type GatewayProcess, REFERENCE_SERVERS, startGateway } from '../support/gateway-process.ts';

const anything = z.looseObject({});
const sample = (name: string) => readFileSync(new URL(`../../docs/sample/${name}`, import.meta.url), 'utf8');

let gateway: GatewayProcess;
let client: LegacyClient;

beforeAll(async () => {
  gateway = await startGateway({ upstream: REFERENCE_SERVERS });
  await connected(gateway, ['everything', 'filesystem', 'memory']);
  client = new LegacyClient({ name: 'e2e', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)) as never);
}, 60_000);

afterAll(async () => {
  await client?.close();
  await gateway?.[Symbol.asyncDispose]();
});

const callRaw = (to: LegacyClient, name: string, args: object) =>
  to.request({ method: 'tools/call', params: { name, arguments: args } }, anything as never) as Promise<
    Record<string, unknown>
  >;

async function execute(args: Record<string, unknown>) {
  const result = (await callRaw(client, 'execute_code', args)) as { content: { text: string }[] };
  return JSON.parse(result.content[0]!.text) as Record<string, unknown>;
}

describe('the main job', () => {
  it('shows our tools and the proxies', async () => {
    const { tools } = (await client.request({ method: 'tools/list' }, anything as never)) as {
      tools: { name: string }[];
    };
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['execute_code', 'list_servers', 'os__read_text_file', 'everything__get-sum']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('reads two files and adds two numbers in one script, and gives back the value only', async () => {
    const code = `function Run(p) {
      const texts = p.files.map((path) => os.read_text_file({ path }).content);
      return { sizes: texts.map((text) => text.length), sum: everything.get_sum({ a: 2, b: 40 }) };
    }`;
    expect(await execute({ code, params: { files: ['notes.md', 'orders.csv'] } })).toMatchObject({
      ok: true,
      value: { sizes: [sample('notes.md').length, sample('orders.csv').length], sum: 'The sum of 2 and 40 is 42.' },
      logs: [],
      toolCalls: 3,
    });
  });

  it('gives through a proxy what the upstream gives directly, byte for byte', async () => {
    const { command, args } = REFERENCE_SERVERS[1]!;
    const direct = new LegacyClient({ name: 'direct', version: '1' });
    await direct.connect(new StdioClientTransport({ command, args }));
    const through = await callRaw(client, 'os__read_text_file', { path: 'notes.md' });
    expect(JSON.stringify(through)).toBe(JSON.stringify(await callRaw(direct, 'read_text_file', { path: 'notes.md' })));
    await direct.close();
  });

  it('gives an image block to a script that asks for one', async () => {
    const result = (await callRaw(client, 'execute_code', { code: 'everything.get_tiny_image()[1]' })) as {
      content: { type: string }[];
    };
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
  });

  it('runs the example of every cheat sheet', async () => {
    for (const language of ['javascript', 'lua', 'go']) {
      const sheet = (await callRaw(client, 'get_functions_description', { language })) as {
        content: { text: string }[];
      };
      expect(sheet.content[0]!.text).toMatch(/get_?sum/i);
    }
  });
});
