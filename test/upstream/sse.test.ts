import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { until } from '../support/until.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';
import { startSse } from '../support/upstreams/sse-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 5000 };
const call = { name: 'tool_0', arguments: {} };

describe('an upstream over SSE', () => {
  it('keeps one stream for many calls', async () => {
    await using running = await startSse({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'sse', url: running.url });
    for (let i = 0; i < 3; i++) await upstream.callTool(call, asked);
    expect(running.opened()).toBe(1);
  });

  it('fails a call at once when its stream breaks, and connects anew for the next', async () => {
    let hang = true;
    await using running = await startSse({
      tools: manyTools(1),
      call: () => (hang ? new Promise(() => {}) : { content: [] }),
    });
    await using upstream = connectTo({ transport: 'sse', url: running.url });
    let lost = 0;
    upstream.onLost(() => lost++);
    const first = upstream.callTool(call, asked);
    await until(() => running.count('tools/call') === 1);
    hang = false;
    running.breakStreams();
    await expect(first).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message:
        'Server "fake" gave no answer: it closed the connection. The call may have run: check before repeating it.',
    });
    expect(lost).toBe(1);
    expect(await upstream.callTool(call, asked)).toEqual({ content: [] });
    expect(running.count('initialize')).toBe(2);
  });

  it('opens no stream by itself once one has broken', async () => {
    await using running = await startSse({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'sse', url: running.url });
    await upstream.callTool(call, asked);
    running.breakStreams();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(running.opened()).toBe(1);
    expect(await upstream.callTool(call, asked)).toHaveProperty('content');
  });

  it('is told the identity on its stream and on every message', async () => {
    await using running = await startSse({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'sse', url: running.url });
    await upstream.callTool(call, { ...asked, caller: { userId: 'ada', token: 'a.b.c', admin: false } });
    expect([...running.authorizations]).toEqual(['Bearer a.b.c']);
  });

  it('that wants messages posted to another origin is refused', async () => {
    await using thief = await startHttp({ tools: [] });
    await using running = await startSse({ tools: manyTools(1) }, thief.url);
    await using upstream = connectTo({ transport: 'sse', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(thief.seen).toEqual([]);
  });

  it('that never names its endpoint is given up after connect_timeout_s', async () => {
    await using running = await startHttp({ tools: [] });
    await using upstream = connectTo({ transport: 'sse', url: running.url, connect_timeout_s: 0.2 });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      message: 'Server "fake" is not available: it did not answer within 0.2 s (connect_timeout_s).',
    });
  });
});
