import { describe, expect, it, vi } from 'vitest';
import { jsonUnlessMore } from '../../lib/server/json-unless-more.ts';
import { event, soonOrStream } from '../../lib/server/late-stream.ts';
import { readJsonBody } from '../../lib/server/read-body.ts';

const stream = (...chunks: Uint8Array[]) =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';

describe('an answer that takes long', () => {
  it('is as it is when it comes soon', async () => {
    const json = Response.json({ a: 1 });
    expect(await soonOrStream(Promise.resolve(json), 1, () => {}, { afterMs: 1000 })).toBe(json);
  });

  it('becomes a stream with comments that ends with the answer', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const response = await soonOrStream(promise, 1, () => {}, { afterMs: 1, keepAliveMs: 5 });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(': keep-alive\n\n');
    expect((await reader.read()).value).toBe(': keep-alive\n\n');
    resolve(Response.json({ b: 2 }));
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value;
    expect(rest.replaceAll(': keep-alive\n\n', '')).toBe('event: message\ndata: {"b":2}\n\n');
  });

  it('carries a stream on that starts late', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const response = await soonOrStream(promise, 1, () => {}, { afterMs: 1 });
    resolve(stream(event(progress), event(answer)));
    expect(await response.text()).toBe(
      `: keep-alive\n\nevent: message\ndata: ${progress}\n\nevent: message\ndata: ${answer}\n\n`,
    );
  });

  it('ends with an error of that request when there is no answer to come', async () => {
    const { promise, reject } = Promise.withResolvers<Response>();
    const response = await soonOrStream(promise, 'id-7', () => {}, { afterMs: 1 });
    reject(new Error('secret'));
    const text = await response.text();
    expect(text).toContain('"id":"id-7","error":{"code":-32603');
    expect(text).not.toContain('secret');
  });

  it('is a stream with comments while it is silent, where it is one from the start', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const inner = new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    const response = await soonOrStream(Promise.resolve(inner), 1, () => {}, { afterMs: 1000, keepAliveMs: 5 });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    void writer.write(event(progress));
    let text = '';
    while (!/"method".*: keep-alive/s.test(text)) text += (await reader.read()).value;
    void writer.write(event(answer)).then(() => writer.close());
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(text.replaceAll(': keep-alive\n\n', '')).toBe(
      `event: message\ndata: ${progress}\n\nevent: message\ndata: ${answer}\n\n`,
    );
  });

  it('lets go of its stream when the client goes, or the stream breaks', async () => {
    const cancel = vi.fn();
    const streaming = { headers: { 'content-type': 'text/event-stream' } };
    const silent = new Response(new ReadableStream({ cancel }), streaming);
    await (await soonOrStream(Promise.resolve(silent), 1, () => {}, { keepAliveMs: 5 })).body!.cancel('gone');
    expect(cancel).toHaveBeenCalledExactlyOnceWith('gone');
    const broken = new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new Error('broken'));
        },
      }),
      streaming,
    );
    await expect((await soonOrStream(Promise.resolve(broken), 1, () => {}, { keepAliveMs: 5 })).text()).rejects.toThrow(
      'broken',
    );
  });

  it('is abandoned when the client goes', async () => {
    const abandon = vi.fn();
    const response = await soonOrStream(new Promise(() => {}), 1, abandon, { afterMs: 1 });
    await response.body!.cancel();
    expect(abandon).toHaveBeenCalledOnce();
  });
});

describe('a stream with nothing but the answer', () => {
  it('becomes plain JSON', async () => {
    const response = await jsonUnlessMore(stream(event(answer)));
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(answer);
  });

  it('stays a stream where something comes first', async () => {
    const response = await jsonUnlessMore(stream(event(progress), event(answer)));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain(answer);
  });

  it('keeps text whose lines look like events', async () => {
    const odd = JSON.stringify({ id: 1, result: { text: 'a\n\ndata: {"method":"x"}\n\n' } });
    expect(await (await jsonUnlessMore(stream(event(odd)))).text()).toBe(odd);
    const separators = JSON.stringify({ id: 1, result: { text: 'a\u2028b\u2029c' } });
    expect(await (await jsonUnlessMore(stream(event(separators)))).text()).toBe(separators);
  });
});

describe('a slow body', () => {
  it('is given up with 408', async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
    const read = await readJsonBody(new Request('http://x/mcp', init as RequestInit), 1000, 20);
    expect('refused' in read && read.refused.status).toBe(408);
  });
});
