import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { InboundClient } from '../../lib/upstream/contract.ts';
import { connectTo, referenceEntry, stdioEntry } from '../support/upstreams/connect.ts';
import { type FakeServer, manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 10_000 };
const accepted: JsonObject = { action: 'accept', content: { name: 'Ada', check: true } };

/** A client session that answers everything alike and keeps what it was asked. */
function session(id: string, capabilities: JsonObject) {
  const questions: [string, JsonObject][] = [];
  const notices: [string, JsonObject][] = [];
  const client: InboundClient = {
    capabilities,
    session: {
      id,
      answer: async (method, params) => {
        questions.push([method, params]);
        if (method === 'roots/list') return { roots: [{ uri: 'file:///a', name: 'a' }] };
        if (method === 'sampling/createMessage') {
          return { model: 'm', role: 'assistant', content: { type: 'text', text: 'sampled' }, 'x-extra': 1 };
        }
        return accepted;
      },
      notify: (method, params) => void notices.push([method, params]),
    },
  };
  return { client, questions, notices };
}

describe('a connection of one client session', () => {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };

  it('lets a legacy server ask that client, and nobody else', async () => {
    await using upstream = connectTo(referenceEntry('server-everything', 'stdio'));
    const ada = session('a', capabilities);
    const bob = session('b', capabilities);
    const tools = await upstream.listTools({ ...asked, client: ada.client });
    expect(tools.map(({ name }) => name)).toContain('trigger-elicitation-request');
    await upstream.listTools({ ...asked, client: bob.client });
    const result = await upstream.callTool(
      { name: 'trigger-elicitation-request', arguments: {} },
      { ...asked, client: ada.client },
    );
    expect(JSON.stringify(result.content)).toContain('Ada');
    expect(ada.questions.filter(([method]) => method === 'elicitation/create')).toHaveLength(1);
    expect(bob.questions.filter(([method]) => method === 'elicitation/create')).toHaveLength(0);
    const sampled = await upstream.callTool(
      { name: 'trigger-sampling-request', arguments: { prompt: 'p', maxTokens: 5 } },
      { ...asked, client: ada.client },
    );
    expect(JSON.stringify(sampled.content)).toContain('sampled');
  });

  it('does not count the time a user takes to answer as time of the call', async () => {
    await using upstream = connectTo(referenceEntry('server-everything', 'stdio'));
    const { client } = session('a', capabilities);
    const slow: InboundClient = {
      ...client,
      session: {
        id: 'a',
        answer: (...question) =>
          new Promise((resolve) => setTimeout(() => resolve(client.session!.answer!(...question)), 3000)),
      },
    };
    await upstream.listTools({ ...asked, client: slow });
    const call = { name: 'trigger-elicitation-request', arguments: {} };
    const result = await upstream.callTool(call, { ...asked, timeoutMs: 2000, client: slow });
    expect(JSON.stringify(result.content)).toContain('Ada');
  });

  it('is closed for another one where no more processes have room', async () => {
    await using upstream = connectTo(stdioEntry('serve'), { maxProcesses: 1 });
    const pid = async (id: string) => {
      const { client } = session(id, { roots: {} });
      const { structuredContent } = await upstream.callTool({ name: 'env', arguments: {} }, { ...asked, client });
      return (structuredContent as { pid: number }).pid;
    };
    const first = await pid('a');
    expect(await pid('a')).toBe(first);
    await pid('b');
    expect(await pid('a')).not.toBe(first);
  });

  it('leaves the shared connection without any capability', async () => {
    await using upstream = connectTo(referenceEntry('server-everything', 'stdio'));
    await upstream.listTools({ ...asked, client: session('a', capabilities).client });
    const names = (await upstream.listTools(asked)).map(({ name }) => name);
    expect(names).not.toContain('trigger-elicitation-request');
  });

  it('ends with the session', async () => {
    await using running = await startHttp({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const { client } = session('a', {});
    await upstream.listTools({ ...asked, client });
    await upstream.listTools({ ...asked, client });
    expect(running.count('initialize')).toBe(1);
    await upstream.endSession('a');
    await upstream.listTools({ ...asked, client });
    expect(running.count('initialize')).toBe(2);
  });

  it('brings the notifications of the server to that client', async () => {
    await using running = await startHttp({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const { client, notices } = session('a', {});
    await upstream.listTools({ ...asked, client });
    while (running.streams() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.notify('notifications/resources/list_changed');
    while (notices.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(notices).toEqual([['notifications/resources/list_changed', {}]]);
  });
});

describe('an upstream of the modern era that needs input', () => {
  const question = {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
  };
  const needsInput: JsonObject = {
    resultType: 'input_required',
    inputRequests: { q: question },
    requestState: 's1',
    'x-odd': 1,
  };
  const server: FakeServer = {
    tools: manyTools(1),
    call: (_, __, params) => (params['inputResponses'] ? { content: [], 'x-got': params } : needsInput),
  };
  const call = { name: 'tool_0', arguments: { a: 1 } };

  it('is told what the client can do, and its question goes out and the answers come back whole', async () => {
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const options = { ...asked, client: { capabilities: { elicitation: { form: {} } } } };
    expect(await upstream.callTool(call, options)).toEqual(needsInput);
    const answers = { inputResponses: { q: accepted }, requestState: 's1' };
    const result = await upstream.callTool({ ...call, ...answers }, options);
    expect(result['x-got']).toMatchObject({ ...call, ...answers });
    expect(running.seen.at(-1)?.message['params']).toHaveProperty(
      ['_meta', 'io.modelcontextprotocol/clientCapabilities'],
      { elicitation: { form: {} } },
    );
  });

  it('is answered by the client session where there is one', async () => {
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const { client, questions } = session('a', { elicitation: {} });
    const result = await upstream.callTool(call, { ...asked, client });
    expect(questions).toEqual([['elicitation/create', question.params]]);
    expect(result['x-got']).toMatchObject({ inputResponses: { q: accepted }, requestState: 's1' });
  });

  it('fails the call where nobody can answer', async () => {
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringContaining('asks for input from the user, which could not be given here'),
    });
  });
});
