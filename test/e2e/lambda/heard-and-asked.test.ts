import type { ChildProcess } from 'node:child_process';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureUpstream } from '../conformance/suite.ts';
import { type Cloud, startCloud } from './cloud.ts';

const LINES = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

describe.each(['stdio', 'http'] as const)('an upstream over %s (http: modern era)', (fixture) => {
  const children: ChildProcess[] = [];
  let cloud: Cloud;
  beforeAll(async () => {
    const upstream = await fixtureUpstream(fixture, children);
    // Two, so that the client's next request meets another one each time.
    cloud = await startCloud({ config: { upstream: [upstream] }, confined: fixture === 'http', least: 2, most: 2 });
    await cloud.refresh();
  });
  afterAll(async () => {
    for (const child of children) child.kill();
    await cloud?.[Symbol.asyncDispose]();
  });

  const text = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

  /** A client of the legacy eras that hears logs and can be asked. */
  async function legacy() {
    const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
    const heard: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data));
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept' as const,
      content: { username: 'ada', email: 'a@x' },
    }));
    await client.connect(new OldTransport(new URL(cloud.url)) as never);
    return { client, heard };
  }

  it('is heard by a session from the level up that it has set, whichever environment serves', async () => {
    const { client, heard } = await legacy();
    expect(client.getServerCapabilities()).toMatchObject({ logging: {} });
    const call = { name: 'fix__test_tool_with_logging', arguments: {} };
    await client.setLoggingLevel('info');
    for (const expected of [LINES, [...LINES, ...LINES]]) {
      await client.callTool(call);
      expect(heard).toEqual(expected);
    }
    await client.setLoggingLevel('error');
    await client.callTool(call);
    await client.callTool(call);
    expect(heard).toHaveLength(6);
    await client.close();
  });

  it('is heard by a request of the modern era that asks for it', async () => {
    const client = new NewClient(
      { name: 'new', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    await client.connect(new NewTransport(new URL(cloud.url)));
    const call = { name: 'fix__test_tool_with_logging', arguments: {} };
    await client.callTool(call);
    expect(heard).toEqual([]);
    await client.callTool({ ...call, _meta: { [LOG_LEVEL]: 'info' } });
    expect(heard).toEqual(LINES);
    await client.callTool({ ...call, _meta: { [LOG_LEVEL]: 'error' } });
    expect(heard).toEqual(LINES);
    await client.close();
  });

  it('asks a user, whose answer reaches another environment', async () => {
    const { client } = await legacy();
    const before = cloud.fleet.servedBy.length;
    const result = await client.callTool({ name: 'fix__test_elicitation', arguments: { message: 'Who?' } });
    expect(text(result)).toContain('"username":"ada"');
    const [asking, answered] = cloud.fleet.servedBy.slice(before);
    expect(answered).not.toBe(asking);
    const code = 'fix.test_elicitation({ message: "Who?" })';
    const script = await client.callTool({ name: 'execute_code', arguments: { code } });
    expect(JSON.parse(text(script))).toMatchObject({ ok: true, value: expect.stringContaining('"username":"ada"') });
    await client.close();
  });
});
