import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CatalogueServer } from '../../lib/registry/contract.ts';
import { createGateway } from '../../lib/server/http.ts';
import { serveOverStdio } from '../../lib/server/stdio.ts';
import type { Upstream } from '../../lib/upstream/contract.ts';
import { type Message, MODERN_META, modern } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';
import { until } from '../support/until.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import type { FakeServer } from '../support/upstreams/fake-server.ts';
import { type RunningServer, startHttp } from '../support/upstreams/http-server.ts';

const UPDATED = 'notifications/resources/updated';
const ada = { userId: 'ada', admin: false };
const eve = { userId: 'eve', admin: false };

describe.each(['legacy', 'modern'] as const)('an upstream of the %s era', (era) => {
  let running: RunningServer;
  let upstream: Upstream;
  beforeEach(async () => {
    const server: FakeServer = {
      tools: [],
      capabilities: { resources: { subscribe: true } },
      methods: { 'resources/subscribe': () => ({}) },
    };
    running = await startHttp(server, { era });
    upstream = connectTo({ transport: 'http', url: running.url });
  });
  afterEach(async () => {
    await upstream.close();
    await running[Symbol.asyncDispose]();
  });

  /** The upstream as the server `os`, whose resources only ada may use. */
  function services() {
    const made = stubServices({ servers: { os: {} } });
    const { catalogue } = made;
    const offered: Partial<CatalogueServer> = {
      capabilities: { resources: { subscribe: true } },
      resources: [{ uri: 'a://1', name: 'one' }],
    };
    made.catalogue = async (caller) => {
      const whole = await catalogue(caller);
      return { ...whole, servers: whole.servers.map((one) => ({ ...one, ...offered })) };
    };
    made.view = (known) => ({ key: '', servers: known.servers, functions: [], proxies: [] });
    made.exposure = (_server, _name, caller) => (caller.userId === 'eve' ? 'none' : 'both');
    made.upstream = () => upstream;
    return made;
  }

  it('is heard by a modern client that listens, as long as it does', async () => {
    const gateway = createGateway(services());
    const abort = new AbortController();
    const notifications = { resourceSubscriptions: ['a://1'] };
    const options = { caller: ada, signal: abort.signal };
    const response = await modern(gateway, 'subscriptions/listen', { notifications }, options);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('"resourceSubscriptions":["a://1"]');
    await until(() => running.streams() === 1);
    running.notify(UPDATED, { uri: 'a://other' });
    running.notify(UPDATED, { uri: 'a://1' });
    const { value } = await reader.read();
    expect(value).toContain(UPDATED);
    expect(value).toContain('"uri":"a://1"');
    abort.abort();
    await until(() => running.streams() === 0);
  });

  it('is not subscribed to for one who may not use it, and another’s updates do not come', async () => {
    const gateway = createGateway(services());
    const abort = new AbortController();
    const notifications = { resourceSubscriptions: ['a://1'], toolsListChanged: true };
    const listen = (caller: typeof ada) =>
      modern(gateway, 'subscriptions/listen', { notifications }, { caller, signal: abort.signal });
    const [mine, theirs] = await Promise.all([listen(ada), listen(eve)]);
    const readers = [mine, theirs].map((one) => one.body!.pipeThrough(new TextDecoderStream()).getReader());
    const acknowledged = await Promise.all(readers.map(async (reader) => (await reader.read()).value));
    expect(acknowledged[0]).toContain('a://1');
    expect(acknowledged[1]).not.toContain('a://1');
    await until(() => running.streams() === 1);
    running.notify(UPDATED, { uri: 'a://1' });
    expect((await readers[0]!.read()).value).toContain(UPDATED);
    abort.abort();
    // What eve's stream holds after all that is its end.
    expect((await readers[1]!.read()).done).toBe(true);
  });

  it('is heard over stdio, until the client takes it back', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const service = serveOverStdio(services(), input, output);
    const heard: Message[] = [];
    output.setEncoding('utf8').on('data', (text: string) => {
      heard.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Message),
      );
    });
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const notifications = { resourceSubscriptions: ['a://1'] };
    send({ id: 'l', method: 'subscriptions/listen', params: { notifications, _meta: MODERN_META } });
    await until(() => heard.length === 1);
    expect(heard[0]).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    await until(() => running.streams() > 0);
    running.notify(UPDATED, { uri: 'a://1' });
    await until(() => heard.some(({ method }) => method === UPDATED));
    send({ method: 'notifications/cancelled', params: { requestId: 'l' } });
    await until(() => running.streams() === 0);
    // Taken back before it stands: nothing is left of it either.
    send({ id: 'm', method: 'subscriptions/listen', params: { notifications, _meta: MODERN_META } });
    send({ method: 'notifications/cancelled', params: { requestId: 'm' } });
    await until(() => heard.filter(({ method }) => method?.endsWith('acknowledged')).length === 2);
    await until(() => running.streams() === 0);
    input.end();
    await service.ended;
  });
});
