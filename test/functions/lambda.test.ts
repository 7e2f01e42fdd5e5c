import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/bundle.ts';
import { runtimeConfig } from '../../infra/runtime-config.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { type Environment, startEnvironment } from '../support/lambda/environment.ts';
import { type Front, startFront } from '../support/lambda/front.ts';
import { type FakeS3, startS3 } from '../support/s3-server.ts';
import { type FakeSecrets, startSecrets } from '../support/secrets-server.ts';
import { until } from '../support/until.ts';
import type { FakeServer } from '../support/upstreams/fake-server.ts';
import { type RunningServer, startHttp } from '../support/upstreams/http-server.ts';

const BUNDLE_MS = 120_000;
const SECRET = 'a secret of the test that is long enough';
const ENVIRONMENTS = 3;

const tokenOf = (id: string) =>
  new SignJWT({ id })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

describe('the bundled functions, in environments that die', () => {
  let dynamo: FakeDynamoDb;
  let s3: FakeS3;
  let secrets: FakeSecrets;
  let upstream: RunningServer;
  let front: Front;
  let gateway: string;
  let refresh: string;
  let fake: FakeServer;
  let env: Record<string, string>;
  let ada: string;
  /** Lets a held call of the tool `wait` go on; undefined while none is held. */
  let release: (() => void) | undefined;
  /** While true, the upstream answers nothing but errors. */
  let down = false;
  const environments: (Environment | undefined)[] = [];
  let turn = 0;

  beforeAll(async () => {
    [dynamo, s3, secrets] = await Promise.all([
      startDynamoDb(),
      startS3(),
      startSecrets({ webui: SECRET, '/key': 'upstream-key' }),
    ]);
    fake = {
      tools: ['add', 'wait', 'who'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      async call(name, args) {
        if (name === 'add') return { content: [], structuredContent: { sum: Number(args['a']) + Number(args['b']) } };
        if (name === 'wait') {
          await new Promise<void>((done) => {
            release = done;
          });
        }
        return { content: [{ type: 'text', text: name }] };
      },
    };
    upstream = await startHttp(fake, {
      intercept(_seen, response) {
        if (down) response.writeHead(503).end();
        return down;
      },
    });
    const config = configSchema.parse({
      auth: { require: true, jwt_secret: '${secret:webui}' },
      limits: { per_user: { executions_per_day: 1000 } },
      store: { allow_delete: true },
      upstream: [
        {
          name: 'math-server',
          alias: 'calc',
          transport: 'http',
          url: upstream.url,
          headers: { 'X-Key': '${ssm:/key}' },
        },
      ],
    });
    const files = { 'config.json': runtimeConfig(config, config.upstream) };
    gateway = bundleFunction('test-gateway', { entry: 'functions/mcp.ts', sandbox: true, files });
    refresh = bundleFunction('test-refresh', { entry: 'functions/refresh.ts', files });
    const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
    env = {
      ...Object.fromEntries(aws.map(([name, value]) => [name, value ?? ''])),
      TABLE_NAME: dynamo.tableName,
      BUCKET_NAME: s3.bucket,
      AWS_LAMBDA_FUNCTION_NAME: 'gateway',
    };
    ada = await tokenOf('ada');
    front = await startFront(async () => {
      const place = turn++ % ENVIRONMENTS;
      const known = environments[place];
      if (known?.alive) return known;
      const fresh = await startEnvironment(gateway, env);
      environments[place] = fresh;
      return fresh;
    });
  }, BUNDLE_MS);

  beforeEach(() => {
    release = undefined;
    front.remainingMs = undefined;
  });

  afterAll(async () => {
    release?.();
    await front?.close();
    await Promise.all(environments.map((one) => one?.kill()));
    await upstream?.[Symbol.asyncDispose]();
    await Promise.all([dynamo?.close(), s3?.close(), secrets?.close()]);
  });

  async function connect(token = ada) {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${front.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    return { client, transport };
  }

  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${front.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });

  const INITIALIZE = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  const resultOf = (answer: unknown) =>
    JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '{}');
  const run = async (client: Client, args: Record<string, unknown>) =>
    resultOf(await client.callTool({ name: 'execute_code', arguments: args }));

  it('refresh the registry, so that no request lists an upstream', async () => {
    const environment = await startEnvironment(refresh, env);
    await environment.invoke({});
    const { client } = await connect();
    const listed = upstream.count('tools/list');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['execute_code', 'calc__add', 'list_code']));
    expect(upstream.count('tools/list')).toBe(listed);
    expect(upstream.seen.at(-1)?.headers['x-key']).toBe('upstream-key');
    const counted = environment
      .logged()
      .split('\n')
      .find((line) => line.includes('"_aws"'));
    expect(JSON.parse(counted ?? '{}')).toMatchObject({ UpstreamDown: 0, service: 'gateway' });
    await environment.kill();
    await client.close();
  });

  it.each([
    ['javascript', 'function Run(p) { return calc.add(p).sum }'],
    ['typescript', 'function Run(p: { a: number; b: number }): number { return calc.add(p).sum }'],
    ['lua', 'function Run(p) return calc.add(p).sum end'],
    [
      'go',
      'package main\nimport "calc"\nfunc Run(p map[string]interface{}) interface{} {\n  v, err := calc.Add(p)\n  if err != nil { panic(err.Error()) }\n  return v.(map[string]interface{})["sum"]\n}',
    ],
  ])('serve one client from three environments, running %s', async (language, code) => {
    const { client } = await connect();
    await client.listTools();
    expect(await run(client, { language, code, params: { a: 2, b: 3 } })).toMatchObject({
      ok: true,
      value: 5,
      toolCalls: 1,
    });
    await client.close();
  });

  it('keep a script saved in one environment for the others', async () => {
    const { client } = await connect();
    const code = 'function Run(p) { return p.n * 2 }';
    expect(await run(client, { name: 'twice', code, params: { n: 1 }, description: 'doubles' })).toMatchObject({
      ok: true,
      value: 2,
    });
    expect(await run(client, { name: 'twice', params: { n: 21 } })).toMatchObject({ ok: true, value: 42 });
    expect(resultOf(await client.callTool({ name: 'list_code', arguments: {} }))).toMatchObject([
      { name: 'twice', runs: 2 },
    ]);
    await client.close();
  });

  it('go on with a session when the environment that began it is gone', async () => {
    const { client } = await connect();
    await Promise.all(environments.map((one) => one?.kill()));
    expect(await run(client, { code: 'function Run() { return 1 }' })).toMatchObject({ ok: true, value: 1 });
    await client.close();
  });

  it('call an upstream again over a new socket when the old one has gone', async () => {
    const { client } = await connect();
    const code = 'function Run() { return calc.add({ a: 1, b: 2 }).sum }';
    for (let i = 0; i < ENVIRONMENTS; i++) await run(client, { code });
    upstream.breakSockets();
    for (let i = 0; i < ENVIRONMENTS; i++) expect(await run(client, { code })).toMatchObject({ ok: true, value: 3 });
    await client.close();
  });

  it('keep the catalogue of an upstream that is down, and say so', async () => {
    down = true;
    const environment = await startEnvironment(refresh, env);
    await environment.invoke({});
    down = false;
    const counted = environment
      .logged()
      .split('\n')
      .find((line) => line.includes('"_aws"'));
    expect(JSON.parse(counted ?? '{}')).toMatchObject({ UpstreamDown: 1 });
    await Promise.all(environments.map((one) => one?.kill()));
    const { client } = await connect();
    const [server] = resultOf(await client.callTool({ name: 'list_servers', arguments: {} })) as unknown[];
    expect(server).toMatchObject({ name: 'math-server', state: 'stale', tools: 3, error: expect.any(String) });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('calc__add');
    await client.close();
    await environment.invoke({});
    await environment.kill();
  });

  it('mark the scripts that a refresh breaks, until it brings the function back', async () => {
    const { client } = await connect();
    const code = 'function Run() { return calc.who({}) }';
    expect(await run(client, { name: 'asks', code })).toMatchObject({ ok: true, value: 'who' });
    const environment = await startEnvironment(refresh, env);
    const { tools } = fake;
    const marked = async () =>
      resultOf(await client.callTool({ name: 'get_code', arguments: { name: 'asks' } })).invalid;
    fake.tools = [...tools.filter(({ name }) => name !== 'who'), { name: 'whois', inputSchema: { type: 'object' } }];
    await environment.invoke({});
    // An environment's own catalogue may be some seconds older than the mark.
    expect(await marked()).toMatch(/there (?:is|was) no function calc\.who/);
    fake.tools = tools;
    await environment.invoke({});
    expect(await marked()).toBeUndefined();
    await environment.kill();
    await client.close();
  });

  it('give the value of a script that could not be kept, and say that', async () => {
    const { client } = await connect();
    s3.fault = () => ({ status: 403, code: 'AccessDenied' });
    const answer = await run(client, { name: 'lost', code: 'function Run() { return 7 }' });
    s3.fault = undefined;
    expect(answer).toMatchObject({
      ok: false,
      errorCode: 'internal',
      value: 7,
      error: expect.stringContaining('not stored'),
    });
    expect(await run(client, { name: 'lost' })).toMatchObject({ ok: false, errorCode: 'code_not_found' });
    await client.close();
  });

  it("refuse another user's session, one that has ended, and none", async () => {
    const started = await post(INITIALIZE);
    const session = started.headers.get('mcp-session-id') ?? '';
    expect(started.status).toBe(200);
    const list = { id: 2, method: 'tools/list' };
    expect((await post(list, { 'mcp-session-id': session })).status).toBe(200);
    const other = `Bearer ${await tokenOf('grace')}`;
    expect((await post(list, { 'mcp-session-id': session, authorization: other })).status).toBe(404);
    expect((await post(list)).status).toBe(400);
    expect((await post(list, { 'mcp-session-id': session, authorization: 'Bearer x.y.z' })).status).toBe(401);
    const end = { method: 'DELETE', headers: { 'mcp-session-id': session, authorization: `Bearer ${ada}` } };
    expect((await fetch(`${front.url}/mcp`, end)).status).toBe(204);
    expect((await post(list, { 'mcp-session-id': session })).status).toBe(404);
  });

  it('answer what has no body, what is not there, and what must not be held open', async () => {
    const session = (await post(INITIALIZE)).headers.get('mcp-session-id') ?? '';
    const notified = await post({ method: 'notifications/initialized' }, { 'mcp-session-id': session });
    expect([notified.status, await notified.text()]).toEqual([202, '']);
    const headers = { authorization: `Bearer ${ada}` };
    expect((await fetch(`${front.url}/elsewhere`, { headers })).status).toBe(404);
    const get = await fetch(`${front.url}/mcp`, { headers });
    expect([get.status, get.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  });

  it.each([
    ['a header that none may send', { multiValueHeaders: { 'X-Price': ['€'] } }],
    ['a method that none may use', { httpMethod: 'TRACE' }],
    ['no request at all', { multiValueHeaders: undefined, httpMethod: undefined, requestContext: undefined }],
  ])('refuse %s, which is no failure of theirs', async (_what, part) => {
    const environment = await startEnvironment(gateway, env);
    const event = { httpMethod: 'POST', path: '/mcp', multiValueHeaders: {}, requestContext: {}, body: null, ...part };
    const heads: number[] = [];
    await environment.invoke(event, { onHead: ({ statusCode }) => heads.push(statusCode) });
    expect(heads).toEqual([400]);
    expect(environment.logged()).not.toContain('internal error');
    await environment.kill();
  });

  it('say on every answer what a browser should know', async () => {
    const { headers } = await fetch(`${front.url}/healthz`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('send progress while a script still waits', async () => {
    const session = (await post(INITIALIZE)).headers.get('mcp-session-id') ?? '';
    const code = 'function Run() { calc.add({ a: 1, b: 1 }); calc.wait({}); return "done" }';
    const params = { name: 'execute_code', arguments: { code }, _meta: { progressToken: 'p' } };
    const response = await post({ id: 3, method: 'tools/call', params }, { 'mcp-session-id': session });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      await until(() => release !== undefined);
      release?.();
    }
    expect(text.indexOf('notifications/progress')).toBeGreaterThanOrEqual(0);
    expect(text.indexOf('notifications/progress')).toBeLessThan(text.indexOf('done'));
  });

  it('stop a script and answer before the platform would cut them off', async () => {
    const { client } = await connect();
    front.remainingMs = 6500;
    const answer = await run(client, { code: 'function Run() { calc.wait({}); return 1 }' });
    expect(answer).toMatchObject({ ok: false, errorCode: 'timeout', timedOut: true });
    release?.();
    await client.close();
  });

  it('end a direct call, too, before the platform would cut it off', async () => {
    const { client } = await connect();
    front.remainingMs = 6500;
    const answer = await client.callTool({ name: 'calc__wait', arguments: {} });
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('call_timeout') }] });
    release?.();
    await client.close();
  });

  it('log JSON with the request id, count in the embedded format, and never write a token', async () => {
    const { client } = await connect();
    await run(client, { code: 'function Run() { return 1 }' });
    await run(client, { code: 'function Run() { throw new Error("x") }' });
    await client.close();
    const lines = environments.flatMap((one) => one?.logged().trim().split('\n') ?? []).filter(Boolean);
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.find(({ msg }) => msg === 'execute code')).toMatchObject({
      requestId: expect.stringMatching(/^request-/),
    });
    expect(parsed.some((line) => line['Executions'] !== undefined && line['ToolCalls'] !== undefined)).toBe(true);
    expect(parsed.some((line) => line['FailedExecutions'] === 1 && line['code'] === 'runtime')).toBe(true);
    for (const secret of [ada, SECRET, 'upstream-key', 'Bearer']) expect(lines.join('\n')).not.toContain(secret);
  });

  it('say when to come again, and nothing of what is inside, when the table is gone', async () => {
    const broken = await startEnvironment(gateway, { ...env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' });
    const alone = await startFront(async () => broken);
    const response = await fetch(`${alone.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE }),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const said = await response.text();
    expect(said).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|dynamodb/i);
    const [, told = 'no id'] = /\(request ([\w-]+)\)/.exec(said) ?? [];
    const lines = broken.logged().trim().split('\n');
    expect(JSON.parse(lines.find((line) => line.includes('internal error')) ?? '{}')).toMatchObject({
      requestId: told,
      awsRequestId: expect.stringMatching(/^request-\d+-1$/),
      cause: expect.stringContaining('ECONNREFUSED'),
    });
    await alone.close();
    await broken.kill();
  });
});
