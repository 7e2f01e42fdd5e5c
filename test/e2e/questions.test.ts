import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connected, type GatewayProcess, LAUNCHER, startGateway } from '../support/gateway-process.ts';

const fixture = fileURLToPath(new URL('conformance/fixture-server.ts', import.meta.url));
const upstream = [{ name: 'fix', transport: 'stdio', command: process.execPath, args: [fixture, 'stdio'] }];

let http: GatewayProcess;
let sse: GatewayProcess;

beforeAll(async () => {
  http = await startGateway({ upstream });
  sse = await startGateway({ upstream }, ['--server-transport', 'sse']);
  await Promise.all([connected(http, ['fix']), connected(sse, ['fix'])]);
}, 60_000);

afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  await sse?.[Symbol.asyncDispose]();
});

const config = () => http.child.spawnargs[http.child.spawnargs.indexOf('--config') + 1]!;
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(http.url)),
  sse: () => new SSEClientTransport(new URL(`${sse.address}/sse`)),
  stdio: () => {
    const args = [LAUNCHER, '--config', config(), '--server-transport', 'stdio'];
    return new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  },
};

/** A client that answers with its own name, so that nobody's answer can be taken for another's. */
async function clientNamed(name: string, transport: keyof typeof transports): Promise<Client> {
  const client = new Client({ name, version: '1' }, { capabilities: { elicitation: {}, sampling: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept' as const,
    content: { username: name, email: 'e@x' },
  }));
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    model: 'none',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: `${name} says hi` },
  }));
  await client.connect(transports[transport]() as never);
  return client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

describe.each(['http', 'sse', 'stdio'] as const)('an upstream behind %s', (transport) => {
  it("asks the user and the model of the client that calls, and hears that client's answer", async () => {
    const client = await clientNamed('ada', transport);
    const form = await client.callTool({ name: 'fix__test_elicitation', arguments: { message: 'Who?' } });
    expect(textOf(form)).toContain('"username":"ada"');
    expect(textOf(await client.callTool({ name: 'fix__test_sampling', arguments: { prompt: 'Hi' } }))).toContain(
      'ada says hi',
    );
    await client.close();
  });

  it('asks in the middle of a script, which waits', async () => {
    const client = await clientNamed('bob', transport);
    const code = 'fix.test_elicitation({ message: "Who?" })';
    const answer = JSON.parse(textOf(await client.callTool({ name: 'execute_code', arguments: { code } }))) as object;
    expect(answer).toMatchObject({ ok: true, value: expect.stringContaining('"username":"bob"') });
    await client.close();
  });

  it('asks nobody where the client has not said that it can answer', async () => {
    const client = new Client({ name: 'mute', version: '1' });
    await client.connect(transports[transport]() as never);
    const result = await client.callTool({ name: 'fix__test_elicitation', arguments: { message: 'Who?' } });
    expect(result.isError).toBe(true);
    await client.close();
  });

  it('sends its log to a client that sets a level', async () => {
    const client = await clientNamed('eve', transport);
    const lines: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params.data));
    await client.setLoggingLevel('info');
    await client.callTool({ name: 'fix__test_tool_with_logging', arguments: {} });
    expect(lines).toEqual(['Tool execution started', 'Tool processing data', 'Tool execution completed']);
    await client.close();
  });
});

describe('clients at the same time', () => {
  it('each hear only their own questions', async () => {
    const names = Array.from({ length: 4 }, (_, at) => `user${at}`);
    const clients = await Promise.all(names.map((name) => clientNamed(name, 'http')));
    const answers = await Promise.all(
      clients.map((client) => client.callTool({ name: 'fix__test_elicitation', arguments: { message: 'Who?' } })),
    );
    expect(answers.map((answer) => /"username":"(\w+)"/.exec(textOf(answer))?.[1])).toEqual(names);
    await Promise.all(clients.map((client) => client.close()));
  });
});
