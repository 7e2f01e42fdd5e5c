import { afterEach, describe, expect, it, vi } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { createResolver } from '../../lib/config/references.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { type FakeServer, manyTools, RpcFailure } from '../support/upstreams/fake-server.ts';
import { type Seen, startHttp } from '../support/upstreams/http-server.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 5000 };
const call = { name: 'tool_0', arguments: {} };
const server: FakeServer = { tools: manyTools(1) };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('connections over Streamable HTTP', () => {
  it('are made by the first request and used again by the next', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    expect(running.seen).toEqual([]);
    for (let i = 0; i < 3; i++) await upstream.callTool(call, asked);
    expect(running.count('initialize')).toBe(1);
  });

  it('are made once for many requests at the same time', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await Promise.all(Array.from({ length: 20 }, () => upstream.callTool(call, asked)));
    expect(running.count('initialize')).toBe(1);
    expect(running.count('tools/call')).toBe(20);
  });

  it('ask a modern server for its era once: a warm call is one request', async () => {
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool(call, asked);
    running.seen.length = 0;
    await upstream.callTool(call, asked);
    expect(running.seen.map(({ method }) => method)).toEqual(['tools/call']);
  });

  it('ask again where the server has changed its era since', async () => {
    let era: 'modern' | 'legacy' = 'modern';
    await using legacy = await startHttp(server);
    await using running = await startHttp(server, {
      era: 'modern',
      intercept: async ({ message, headers }, response) => {
        if (era === 'modern') return false;
        // Behind the same address there is an old server now.
        const answer = await fetch(legacy.url, {
          method: 'POST',
          body: JSON.stringify(message),
          headers: {
            'content-type': 'application/json',
            ...(headers['mcp-session-id'] && { 'mcp-session-id': String(headers['mcp-session-id']) }),
          },
        });
        const session = answer.headers.get('mcp-session-id');
        response.writeHead(answer.status, {
          'content-type': 'application/json',
          ...(session && { 'mcp-session-id': session }),
        });
        response.end(await answer.text());
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool(call, asked);
    era = 'legacy';
    expect(await upstream.callTool(call, asked)).toHaveProperty('content');
    expect(legacy.count('tools/call')).toBe(2);
  });

  it('are made by initialize where the server fails at the question for its era', async () => {
    await using running = await startHttp(server, {
      intercept: ({ method }, response) => {
        if (method !== 'server/discover') return false;
        response.writeHead(500).end('oops');
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    expect(await upstream.callTool(call, asked)).toHaveProperty('content');
  });

  it('are renewed, and the call made once, when the server has forgotten the session', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool(call, asked);
    running.forgetSessions();
    expect(await upstream.callTool(call, asked)).toHaveProperty('content');
    expect(running.count('initialize')).toBe(2);
  });

  it('do not use a socket that has been idle for long by the wall clock', async () => {
    await using running = await startHttp(server, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool(call, asked);
    await upstream.callTool(call, asked);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 5000);
    await upstream.callTool(call, asked);
    const [first, second, third] = running.seen.filter(({ method }) => method === 'tools/call').map(({ port }) => port);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('do not use sockets that the server has closed', async () => {
    await using running = await startHttp(server);
    await using upstream = connectTo({ transport: 'http', url: running.url });
    for (let i = 0; i < 5; i++) {
      await upstream.callTool(call, asked);
      running.breakSockets();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(running.count('tools/call')).toBe(5);
    expect(running.count('initialize')).toBe(1);
  });

  it('fail a call at once when its socket breaks, and say that it may have run', async () => {
    let broken = false;
    await using running = await startHttp(server, {
      intercept: ({ method }) => {
        if (method !== 'tools/call' || broken) return false;
        broken = true;
        running.breakSockets();
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message:
        'Server "fake" gave no answer: it broke the connection. The call may have run: check before repeating it.',
    });
    expect(running.count('tools/call')).toBe(1);
    expect(await upstream.callTool(call, asked)).toHaveProperty('content');
  });

  it.each(['legacy', 'modern'] as const)(
    'fail a call at once when its stream ends without an answer (%s)',
    async (era) => {
      await using running = await startHttp(server, {
        era,
        intercept: ({ method }, response) => {
          if (method !== 'tools/call') return false;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n');
          return true;
        },
      });
      await using upstream = connectTo({ transport: 'http', url: running.url });
      await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
        code: 'upstream_unavailable',
        message: expect.stringContaining('The call may have run'),
      });
    },
  );

  it('resume an answer whose stream broke, by its last event', async () => {
    let question: Seen | undefined;
    await using running = await startHttp(server, {
      intercept: (seen, response) => {
        const { method, headers } = seen;
        if (method === 'tools/call') {
          question = seen;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 7\nretry: 5\ndata:\n\n');
          return true;
        }
        if (headers['last-event-id'] !== '7') return false;
        const result = { content: [{ type: 'text', text: 'late' }] };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: question?.message['id'], result })}\n\n`);
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    expect(await upstream.callTool(call, asked)).toEqual({ content: [{ type: 'text', text: 'late' }] });
    expect(running.count('tools/call')).toBe(1);
  });

  it('give up resuming after max_retries', async () => {
    let resumptions = 0;
    await using running = await startHttp(server, {
      intercept: ({ method, headers }, response) => {
        if (method === 'tools/call') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 7\nretry: 5\ndata:\n\n');
          return true;
        }
        if (!headers['last-event-id']) return false;
        resumptions++;
        response.writeHead(502).end();
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url, max_retries: 3 });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('The call may have run'),
    });
    expect(resumptions).toBe(3);
  });

  it.each([
    ['no JSON', '{"jsonrpc"', 'what it answered is no MCP message'],
    ['no message', '{"some":"JSON"}', 'what it answered is no MCP message'],
    ['cut short', undefined, 'it broke the connection'],
  ])('fail a call whose answer is %s', async (_, body, reason) => {
    await using running = await startHttp(server, {
      intercept: ({ method }, response) => {
        if (method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body?.length ?? 100 });
        if (body) response.end(body);
        else response.write('{"jsonrpc"', () => response.destroy());
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: `Server "fake" gave no answer: ${reason}. The call may have run: check before repeating it.`,
    });
  });

  it('read no JSON answer without end', async () => {
    await using running = await startHttp(server, {
      intercept: ({ method }, response) => {
        if (method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(1024 * 1024)));
        };
        response.on('drain', more);
        more();
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, { ...asked, timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
  });

  it('say that the tools have changed where a modern server refuses our headers', async () => {
    const refusing = {
      ...server,
      call: () => {
        throw new RpcFailure(-32020, 'Header mismatch');
      },
    };
    await using running = await startHttp(refusing, { era: 'modern' });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    const told: string[] = [];
    upstream.onListChanged((kind) => told.push(kind));
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({ code: 'tool_failed' });
    expect(told).toEqual(['tools']);
  });

  it.each([
    [401, 'Server "fake" is not available: it refused our credentials (HTTP 401). The request was not carried out.'],
    [403, 'Server "fake" is not available: it refused our credentials (HTTP 403). The request was not carried out.'],
    [429, 'Server "fake" is not available: it is limiting our requests (HTTP 429). The request was not carried out.'],
    [503, 'Server "fake" gave no answer: it answered HTTP 503. The call may have run: check before repeating it.'],
  ])('fail a call that is answered by HTTP %i', async (status, message) => {
    await using running = await startHttp(server, {
      intercept: ({ method }, response) => {
        if (method === 'tools/call') response.writeHead(status).end('secret details');
        return method === 'tools/call';
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({ code: 'upstream_unavailable', message });
    expect(running.count('tools/call')).toBe(1);
  });

  it('end their session when the upstream is closed', async () => {
    await using running = await startHttp(server);
    const upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool(call, asked);
    await upstream.close();
    const session = String(running.seen.at(-1)?.headers['mcp-session-id']);
    const { status } = await fetch(running.url, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      headers: { 'mcp-session-id': session },
    });
    expect(status).toBe(404);
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});

describe('an upstream that cannot be reached', () => {
  it.each([
    [
      'refuses',
      { transport: 'http', url: 'http://127.0.0.1:9/mcp' },
      'it refused the connection, as if it were not running',
    ],
    [
      'refuses over SSE',
      { transport: 'sse', url: 'http://127.0.0.1:9/sse' },
      'it refused the connection, as if it were not running',
    ],
    ['is unknown', { transport: 'http', url: 'http://nowhere.invalid/mcp' }, 'its host name is not known'],
    [
      'has no command',
      { transport: 'stdio', command: '/no/such/command' },
      'its command, or its working_dir, was not found',
    ],
    [
      'has its whole command line as its command',
      { transport: 'stdio', command: 'npx -y no-such-server' },
      'its command was not found: command is the program alone, its arguments stand in args',
    ],
  ])('%s: the reason is told without paths or addresses', async (_, entry, reason) => {
    await using upstream = connectTo(entry);
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: `Server "fake" is not available: ${reason}.`,
    });
  });

  it.each(['http', 'sse', 'stdio'])(
    'has a reference in its configuration that cannot be read (%s)',
    async (transport) => {
      const entry = { transport, url: '${env:X}', command: '${env:X}' };
      await using upstream = connectTo(entry, { resolve: createResolver({ env: {} }) });
      await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
        code: 'upstream_unavailable',
        message:
          'Server "fake" is not available: its configuration cannot be read (${env:X}: the environment variable X is not set).',
      });
    },
  );

  it('has an address that is none', async () => {
    await using upstream = connectTo({ transport: 'http', url: '${env:X}' }, { resolve: async () => 'secret thing' });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      message: 'Server "fake" is not available: its url is no URL.',
    });
  });

  it('is no MCP server', async () => {
    await using running = await startHttp(server, {
      intercept: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
        return true;
      },
    });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      message: 'Server "fake" is not available: what answers at its url is no MCP server.',
    });
  });

  it('is given a header that HTTP does not allow: its value is told to nobody', async () => {
    await using running = await startHttp(server);
    const headers = { 'X-Key': 'secret\nX-Evil: 1' };
    await using upstream = connectTo({ transport: 'http', url: running.url, headers });
    await expect(upstream.callTool(call, asked)).rejects.toMatchObject({
      message: 'Server "fake" is not available: its header X-Key has a value that HTTP does not allow.',
    });
    await using trimming = connectTo({ transport: 'http', url: running.url, headers: { 'X-Key': 'secret\n' } });
    await trimming.callTool(call, asked);
    expect(running.seen.at(-1)?.headers['x-key']).toBe('secret');
  });

  it('hangs: the handshake ends after connect_timeout_s', async () => {
    await using running = await startHttp(server, { intercept: () => true });
    await using upstream = connectTo({ transport: 'http', url: running.url, connect_timeout_s: 0.2 });
    await expect(upstream.capabilities({ caller: ANONYMOUS, timeoutMs: 5000 })).rejects.toMatchObject({
      message: expect.stringMatching(/did not (connect in time|answer within 0.2 s)/),
    });
  });

  it('hangs: a call waits no longer than its own time, and is not carried out', async () => {
    await using running = await startHttp(server, { intercept: () => true });
    await using upstream = connectTo({ transport: 'http', url: running.url, connect_timeout_s: 5 });
    await expect(upstream.callTool(call, { ...asked, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'call_timeout',
      message: 'Server "fake" did not connect in time. The request was not carried out.',
    });
  });
});
