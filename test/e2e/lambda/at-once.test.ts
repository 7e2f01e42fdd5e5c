import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../../../lib/dynamodb.ts';
import { type RunningServer, startHttp } from '../../support/upstreams/http-server.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { connect, JWT_SECRET, type SdkClient, tokenOf } from './sdk-clients.ts';

const SAVERS = 10;

describe('environments at work at once', () => {
  let cloud: Cloud;
  let upstreams: RunningServer[];
  let client: SdkClient;
  beforeAll(async () => {
    const tools = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } }));
    upstreams = await Promise.all([startHttp({ tools: tools(3) }), startHttp({ tools: tools(300), pageSize: 50 })]);
    cloud = await startCloud({
      config: {
        auth: { require: true, jwt_secret: '${secret:webui}' },
        limits: { per_user: { executions_per_day: 26 } },
        upstream: upstreams.map(({ url }, at) => ({ name: `server-${at}`, alias: `s${at}`, transport: 'http', url })),
      },
      secrets: { webui: JWT_SECRET },
      least: SAVERS,
      most: SAVERS,
    });
  });
  afterAll(async () => {
    await client?.close();
    await cloud?.[Symbol.asyncDispose]();
    for (const upstream of upstreams ?? []) await upstream[Symbol.asyncDispose]();
  });

  it('refresh the registry without losing a server or leaving anything behind', async () => {
    await Promise.all([cloud.refresh(), cloud.refresh()]);
    await Promise.all([cloud.refresh(), cloud.refresh()]);
    const items = await createTable(cloud.env['TABLE_NAME']!).query('registry');
    const heads = items.filter(({ sk }) => !sk.includes('#'));
    expect(heads.map(({ sk, state }) => [sk, state])).toEqual([
      ['server-0', 'connected'],
      ['server-1', 'connected'],
    ]);
    for (const { sk, body, parts } of heads) {
      const own = items.filter((item) => item.sk.startsWith(`${sk}#`));
      expect(own.map((item) => item.sk.split('#')[1])).toEqual(Array.from({ length: Number(parts) }, () => body));
    }
    client = await connect('sdk 1.32', cloud.url, await tokenOf('ada'));
    const names = await client.tools();
    expect(names.filter((name) => name.startsWith('s0__'))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('s1__'))).toHaveLength(300);
  });

  it('save one name ten at once and lose no version', async () => {
    const before = cloud.fleet.servedBy.length;
    const codes = Array.from({ length: SAVERS }, (_, at) => `function Run() { return "saver ${at}" }`);
    const answers = await Promise.all(codes.map((code) => client.run({ name: 'shared', code })));
    expect(answers.map(({ ok, value }) => [ok, value])).toEqual(codes.map((_, at) => [true, `saver ${at}`]));
    expect(new Set(cloud.fleet.servedBy.slice(before, before + SAVERS)).size).toBe(SAVERS);
    const read = async (version?: string) =>
      JSON.parse((await client.call('get_code', { name: 'shared', ...(version && { version }) })).content[0]!.text);
    const last = await read();
    const kept = [last.code];
    for (const { version } of last.versions as { version: string }[]) kept.push((await read(version)).code);
    expect(kept.toSorted()).toEqual(codes.toSorted());
    expect(last.runs).toBe(SAVERS);
  });

  it('count one user’s quota as one, however many serve', async () => {
    // Ten of the day's 26 executions are used up.
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.run({ code: '1' })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(16);
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject({ errorCode: 'quota_exceeded' });
  });
});
