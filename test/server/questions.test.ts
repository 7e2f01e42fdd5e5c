import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { createGateway, type Gateway } from '../../lib/server/http.ts';
import { createMemorySessions } from '../../lib/session/memory.ts';
import { createMemoryAnswers } from '../../lib/session/memory-answers.ts';
import type { RequestOptions } from '../../lib/upstream/contract.ts';
import { MCP_URL, type Message, openSession, post } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

/** Environments with one store, before an upstream that asks the client with each call and tells what it heard. */
function environments(count: number): Gateway[] {
  const shared = { sessions: createMemorySessions(), answers: createMemoryAnswers(), holdsStreams: false };
  const answer = async (_args: object, { client, signal }: RequestOptions) => {
    const heard = await client!.session!.answer!('sampling/createMessage', { maxTokens: 5 }, signal!).catch(
      ({ code, message }) => ({ code, message }),
    );
    return { content: [{ type: 'text', text: JSON.stringify(heard) }] };
  };
  return Array.from({ length: count }, () =>
    createGateway(stubServices({ servers: { os: { ask: { answer } } }, overrides: shared })),
  );
}

const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'os__ask' } };

/** Opens a session that can sample; the client of its requests reads event by event. */
async function open(gateway: Gateway) {
  const headers = await openSession(gateway, '2025-11-25', {}, { sampling: {} });
  return {
    headers,
    async call(through: Gateway, options: { deadline?: number; signal?: AbortSignal } = {}) {
      const { signal, ...rest } = options;
      const request = new Request(MCP_URL, {
        method: 'POST',
        body: JSON.stringify(call),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(signal && { signal }),
      });
      const response = await through(request, ANONYMOUS, rest);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      return {
        async next(): Promise<Message> {
          for (;;) {
            const { value = '' } = await reader.read();
            const data = /^data: (.*)$/m.exec(value)?.[1];
            if (data !== undefined) return JSON.parse(data) as Message;
          }
        },
      };
    },
  };
}

const textOf = ({ result }: Message) => JSON.parse((result['content'] as { text: string }[])[0]!.text) as object;

describe('an upstream’s question to a client of the legacy eras, where no stream is held', () => {
  it('is asked on the stream of the call, and answered through another environment', async () => {
    const [first, second, third] = environments(3) as [Gateway, Gateway, Gateway];
    const session = await open(first);
    const stream = await session.call(second);
    const asked = await stream.next();
    expect(asked).toMatchObject({ method: 'sampling/createMessage', params: { maxTokens: 5 } });
    const answer = { jsonrpc: '2.0', id: asked.id, result: { model: 'm' } };
    expect((await post(third, answer, { headers: session.headers })).status).toBe(202);
    expect(textOf(await stream.next())).toEqual({ model: 'm' });
  });

  it('carries the client’s refusal back with its code', async () => {
    const [first, second] = environments(2) as [Gateway, Gateway];
    const session = await open(first);
    const stream = await session.call(first);
    const { id } = await stream.next();
    const error = { code: -1, message: 'the user said no' };
    await post(second, { jsonrpc: '2.0', id, error }, { headers: session.headers });
    expect(textOf(await stream.next())).toEqual(error);
  });

  it('cannot be answered by another session', async () => {
    const [first, second] = environments(2) as [Gateway, Gateway];
    const [mine, theirs] = [await open(first), await open(first)];
    const stream = await mine.call(first);
    const { id } = await stream.next();
    await post(second, { jsonrpc: '2.0', id, result: { wrong: true } }, { headers: theirs.headers });
    await post(second, { jsonrpc: '2.0', id, result: { right: true } }, { headers: mine.headers });
    expect(textOf(await stream.next())).toEqual({ right: true });
  });

  it('is given up when the platform is about to end the call, and the client told', async () => {
    const [gateway] = environments(1) as [Gateway];
    const session = await open(gateway);
    const stream = await session.call(gateway, { deadline: Date.now() - 1 });
    const { id } = await stream.next();
    expect(await stream.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(textOf(await stream.next())).toEqual({ message: 'the client did not answer in time' });
  });
});
