import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { answer, type FakeServer, type Message, MODERN } from './fake-server.ts';

/** A request that a fake upstream saw. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  message: Message;
  /** The client's port: tells sockets apart. */
  port: number;
}

export interface HttpOptions {
  /** The era it speaks; the other one's first request is refused as such servers do. */
  era?: 'legacy' | 'modern';
  /** How requests are answered. */
  respond?: 'json' | 'sse';
  /** Takes a request over: return true when it has been dealt with. */
  intercept?: (seen: Seen, response: ServerResponse) => boolean | Promise<boolean>;
}

/** A fake upstream listening on loopback. */
export interface RunningServer extends AsyncDisposable {
  url: string;
  seen: Seen[];
  /** How often this method was asked for. */
  count: (method: string) => number;
  /** Sends a notification on every open stream (a legacy GET, a modern listen). */
  notify: (method: string, params?: object) => void;
  streams: () => number;
  forgetSessions: () => void;
  /** Breaks every socket, as a restart does. */
  breakSockets: () => void;
}

/** Starts a fake upstream over Streamable HTTP on a free loopback port. */
export async function startHttp(server: FakeServer, options: HttpOptions = {}): Promise<RunningServer> {
  const { era = 'legacy', respond = 'json', intercept } = options;
  const seen: Seen[] = [];
  const sessions = new Set<string>();
  const streams = new Map<ServerResponse, Message | undefined>();
  const sockets = new Set<Socket>();

  const listener = createServer(async (request, response) => {
    if (request.method === 'GET' && era === 'legacy') {
      const { headers, socket, url = '' } = request;
      const message: Message = { jsonrpc: '2.0' };
      const one = { method: 'GET', path: url, headers, message, port: socket.remotePort ?? 0 };
      return (await intercept?.(one, response)) || openStream(response);
    }
    if (request.method === 'DELETE') {
      sessions.delete(String(request.headers['mcp-session-id']));
      return response.writeHead(204).end();
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body) as Message;
    const method = String(message['method'] ?? 'response');
    const one: Seen = {
      method,
      path: request.url ?? '',
      headers: request.headers,
      message,
      port: request.socket.remotePort ?? 0,
    };
    seen.push(one);
    if (await intercept?.(one, response)) return;
    if (era === 'legacy') {
      const session = request.headers['mcp-session-id'];
      if (method === 'initialize') {
        const id = randomUUID();
        sessions.add(id);
        response.setHeader('mcp-session-id', id);
      } else if (session === undefined) {
        return refuse(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required', message);
      } else if (!sessions.has(String(session))) {
        return refuse(response, 404, -32001, 'Session not found', message);
      }
    } else if (method === 'initialize') {
      return refuse(response, 400, -32022, 'Unsupported protocol version', message);
    } else if (method === 'subscriptions/listen') {
      openStream(response, message);
      return;
    }
    const reply = await answer(server, message);
    if (!reply) return response.writeHead(202).end();
    if (era === 'modern' && isJsonObject(reply['result'])) {
      const listing = /list$/.test(method) ? { ttlMs: 0, cacheScope: 'private' } : {};
      reply['result'] = { resultType: 'complete', ...listing, ...reply['result'] };
    }
    if (respond === 'json') {
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
  });

  function openStream(response: ServerResponse, listen?: Message) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.set(response, listen);
    response.on('close', () => streams.delete(response));
    if (!listen) return response.write(':\n\n');
    const { notifications = {} } = (listen['params'] ?? {}) as JsonObject;
    const params = { _meta: subscription(listen), notifications };
    send(response, { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
  }

  listener.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    count: (method) => seen.filter((one) => one.method === method).length,
    notify(method, params) {
      for (const [stream, listen] of streams) {
        const all = { ...params, ...(listen && { _meta: subscription(listen) }) };
        send(stream, { jsonrpc: '2.0', method, ...((params || listen) && { params: all }) });
      }
    },
    streams: () => streams.size,
    forgetSessions: () => sessions.clear(),
    breakSockets() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function subscription(listen: Message) {
  return { 'io.modelcontextprotocol/subscriptionId': listen['id'] ?? null };
}

function send(stream: ServerResponse, message: Message) {
  stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function refuse(response: ServerResponse, status: number, code: number, text: string, { id = null }: Message) {
  const error = { code, message: text, ...(code === -32022 && { data: { supported: [MODERN], requested: '' } }) };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
