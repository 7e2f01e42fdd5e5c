import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startHttp } from '../../support/upstreams/http-server.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type FirstFault, failFirst, OF_THE_NETWORK } from './first-faults.ts';
import { connect, JWT_SECRET, type SdkClient, tokenOf } from './sdk-clients.ts';

/** What no answer may show of the machinery. */
const INTERNALS = /127\.0\.0\.1|ECONN|ETIMEDOUT|socket|dynamodb|amazon|\.mjs|SlowDown|NoSuch/i;

/** Most faults of one kind in a run of everything, where each takes a second and more. */
const FEW = 4;

const json = (type: string) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'x' });
const xml = (code: string) => `<Error><Code>${code}</Code><Message>x</Message></Error>`;

let cloud: Cloud;
let upstream: RunningServer;
let before: FaultProxy;
let token: string;
let scripts = 0;

beforeAll(async () => {
  upstream = await startHttp({
    tools: [{ name: 'add', inputSchema: { type: 'object' } }],
    call: async (_name, args) => ({ content: [], structuredContent: { sum: Number(args['a']) + Number(args['b']) } }),
  });
  before = await startFaultProxy(new URL(upstream.url).origin);
  cloud = await startCloud({
    config: {
      auth: { require: true, jwt_secret: '${secret:webui}' },
      limits: { call_timeout_ms: 2000, per_user: { executions_per_day: 10_000, tool_calls_per_day: 10_000 } },
      registry: { cache_s: 1 },
      upstream: [{ name: 'calculator', alias: 'calc', transport: 'http', url: `${before.url}/mcp` }],
    },
    secrets: { webui: JWT_SECRET },
    least: 2,
    most: 2,
  });
  token = await tokenOf('ada');
  await cloud.refresh();
});

afterEach(() => {
  for (const proxy of [cloud.dynamodb, cloud.s3, cloud.secrets, before]) {
    proxy.fault = undefined;
    proxy.faults = 0;
  }
});

afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  before?.close();
  await upstream?.[Symbol.asyncDispose]();
});

/** Everything that touches the storage: a session, the registry, quotas, saving, running and reading a script. */
async function doAll(client: SdkClient): Promise<void> {
  scripts += 1;
  const name = `script-${scripts}`;
  const code = `function Run(p) { return calc.add({ a: p.n, b: ${scripts} }).sum }`;
  expect(await client.tools()).toContain('calc__add');
  expect(await client.run({ name, code, params: { n: 1 } })).toMatchObject({ ok: true, value: 1 + scripts });
  expect(await client.run({ name, params: { n: 2 } })).toMatchObject({ ok: true, value: 2 + scripts });
  const kept = JSON.parse((await client.call('get_code', { name })).content[0]!.text);
  expect(kept).toMatchObject({ name, code, savedBy: 'ada' });
  expect(kept.runs).toBeGreaterThanOrEqual(2);
}

async function open(): Promise<SdkClient> {
  return connect('sdk 1.32', cloud.url, token);
}

/** Does everything while first attempts go wrong; `least` of them do. */
async function changesNothing(proxy: FaultProxy, fault: Fault, most: number | undefined, least: number): Promise<void> {
  failFirst(proxy, fault, most);
  const client = await open();
  await doAll(client);
  await client.close();
  expect(proxy.faults).toBeGreaterThanOrEqual(least);
}

describe('DynamoDB', () => {
  it.each<FirstFault>([
    ['throttled', { status: 400, body: json('ProvisionedThroughputExceededException') }, FEW],
    ['throttled by the request rate', { status: 400, body: json('ThrottlingException') }, FEW],
    ['failing', { status: 500, body: json('InternalServerError') }],
    ...OF_THE_NETWORK,
  ])('%s at every first attempt changes no answer', (_what, fault, most) =>
    changesNothing(cloud.dynamodb, fault, most, 2),
  );

  it.each<[string, Fault]>([
    ['throttled', { status: 400, body: json('ProvisionedThroughputExceededException') }],
    ['failing', { status: 500, body: json('InternalServerError') }],
    ['refusing', { status: 400, body: json('AccessDeniedException') }],
    ['breaking off', 'half'],
    ['silent', 'silent'],
  ])(
    '%s for good is said without what is behind it, and all is well afterwards',
    async (_what, fault) => {
      const client = await open();
      cloud.dynamodb.fault = () => fault;
      for (const attempt of [() => open(), () => client.tools(), () => client.run({ code: '1' })]) {
        const error = await attempt().then(
          () => 'an answer',
          (thrown: Error) => thrown.message,
        );
        expect(error).toMatch(/storage.*try again shortly.*\(request/);
        expect(error).not.toMatch(INTERNALS);
      }
      cloud.dynamodb.fault = undefined;
      await doAll(client);
      await client.close();
    },
    120_000,
  );

  it('failing for quotas, scripts or counters only, is said by the tool', async () => {
    const client = await open();
    const name = 'kept';
    await client.run({ name, code: 'function Run() { return "value" }' });
    const failing = (part: string) => {
      cloud.dynamodb.fault = ({ body }) =>
        body.includes(part) ? { status: 400, body: json('AccessDeniedException') } : undefined;
    };
    failing('limit#');
    expect(await client.run({ code: '1' })).toMatchObject({
      ok: false,
      errorCode: 'internal',
      error: expect.stringMatching(/storage.*try again/),
    });
    failing('code#');
    expect(await client.run({ name })).toMatchObject({ ok: false, errorCode: 'internal' });
    expect(await client.run({ code: '1' })).toMatchObject({ ok: true, value: 1 });
    expect(await client.call('list_code', {})).toMatchObject({ isError: true });
    expect(await client.run({ name: 'unkept', code: 'function Run() { return "made" }' })).toMatchObject({ ok: false });
    failing('ADD #runs');
    expect(await client.run({ name })).toMatchObject({ ok: true, value: 'value' });
    await client.close();
  });

  it('failing for the registry leaves what an environment knows, and says so where it knows nothing', async () => {
    const client = await open();
    await client.tools();
    await client.tools();
    await new Promise((done) => setTimeout(done, 1100));
    cloud.dynamodb.fault = ({ body }) =>
      body.includes('"registry"') ? { status: 400, body: json('AccessDeniedException') } : undefined;
    expect(await client.tools()).toContain('calc__add');
    await cloud.fleet.killLast();
    const fresh = await client.tools().catch((error: Error) => error.message);
    expect(fresh).toMatch(/storage.*try again/);
    expect(fresh).not.toMatch(INTERNALS);
    await client.close();
  });
});

describe('S3', () => {
  it.each<FirstFault>([
    ['slowing down', { status: 503, body: xml('SlowDown') }],
    ['failing', { status: 500, body: xml('InternalError') }],
    ['in conflict', { status: 409, body: xml('ConditionalRequestConflict') }, 1],
    ...OF_THE_NETWORK,
  ])('%s at every first attempt changes no answer', (_what, fault, most) => changesNothing(cloud.s3, fault, most, 1));

  it.each<[string, Fault]>([
    ['slowing down', { status: 503, body: xml('SlowDown') }],
    ['refusing', { status: 403, body: xml('AccessDenied') }],
    ['breaking off', 'half'],
    ['silent', 'silent'],
  ])(
    '%s for good loses no value of a script, and is said',
    async (_what, fault) => {
      const client = await open();
      const name = `kept-${_what.replace(' ', '-')}`;
      await client.run({ name, code: `function Run() { return ${JSON.stringify(_what)} }` });
      cloud.s3.fault = () => fault;
      const unsaved = await client.run({ name: `un${name}`, code: `function Run() { return "made ${_what}" }` });
      expect(unsaved).toMatchObject({ ok: false, errorCode: 'internal', value: `made ${_what}` });
      expect(unsaved['error']).toMatch(/not stored/);
      const unread = await client.run({ name });
      expect(unread).toMatchObject({ ok: false, errorCode: 'internal', error: expect.stringMatching(/try again/) });
      expect(JSON.stringify([unsaved, unread])).not.toMatch(INTERNALS);
      cloud.s3.fault = undefined;
      expect(await client.run({ name })).toMatchObject({ ok: true, value: _what });
      await client.close();
    },
    120_000,
  );
});

describe('Secrets Manager', () => {
  it('failing at a cold start is a 503 that says when to come again; failing later is not seen', async () => {
    const client = await open();
    cloud.secrets.fault = () => ({ status: 500, body: JSON.stringify({ __type: 'InternalServiceError' }) });
    expect(await client.tools()).toContain('execute_code');
    await cloud.fleet.killLast();
    const response = await fetch(cloud.url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.text()).not.toMatch(INTERNALS);
    cloud.secrets.fault = undefined;
    expect(await client.tools()).toContain('execute_code');
    await client.close();
  });
});

describe('an upstream', () => {
  const code = 'function Run() { return calc.add({ a: 1, b: 2 }).sum }';
  const calls = (fault: Fault) => {
    before.fault = ({ body }) => (body.includes('tools/call') ? fault : undefined);
  };

  it.each<[string, Fault, RegExp]>([
    ['overloaded', { status: 503, body: 'busy' }, /upstream_unavailable|tool_failed/],
    ['limiting us', { status: 429, body: 'slow down' }, /upstream_unavailable|tool_failed/],
    ['failing', { status: 500, body: 'oops' }, /upstream_unavailable|tool_failed/],
    ['answering nonsense', { status: 200, body: '{"jsonrpc"' }, /upstream_unavailable|tool_failed/],
    ['unreachable', 'refused', /upstream_unavailable/],
    ['losing its answers', 'lost', /upstream_unavailable|tool_failed/],
    ['breaking off half-way', 'half', /upstream_unavailable|tool_failed/],
    ['standing still half-way', 'stalled', /call_timeout/],
    ['silent', 'silent', /call_timeout/],
  ])('%s is an error the script can catch, and the next call goes through', async (_what, fault, expected) => {
    const client = await open();
    expect(await client.run({ code })).toMatchObject({ ok: true, value: 3 });
    calls(fault);
    const sent = upstream.count('tools/call');
    const failed = await client.run({ code });
    expect(failed).toMatchObject({ ok: false, error: expect.stringContaining('calc.add') });
    expect(failed['errorCode']).toMatch(expected);
    expect(upstream.count('tools/call') - sent).toBeLessThanOrEqual(1);
    expect(await client.run({ code: `try { calc.add({ a: 1, b: 2 }) } catch (e) { "caught" }` })).toMatchObject({
      ok: true,
      value: 'caught',
    });
    before.fault = undefined;
    expect(await client.run({ code })).toMatchObject({ ok: true, value: 3 });
    await client.close();
  });

  it('that is down while the lists are refreshed keeps its old catalogue, marked', async () => {
    before.fault = () => 'refused';
    await cloud.refresh();
    await new Promise((done) => setTimeout(done, 1100));
    const client = await open();
    const servers = async () => JSON.parse((await client.call('list_servers', {})).content[0]!.text);
    expect(await servers()).toMatchObject([{ name: 'calculator', state: 'stale', toolNames: ['add'] }]);
    expect(await client.tools()).toContain('calc__add');
    before.fault = undefined;
    await cloud.refresh();
    await new Promise((done) => setTimeout(done, 1100));
    expect(await servers()).toMatchObject([{ name: 'calculator', state: 'connected' }]);
    await client.close();
  });
});
