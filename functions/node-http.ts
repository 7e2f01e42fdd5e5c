import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Log } from '../lib/log.ts';

/** Idle connections are kept this long, milliseconds: longer than usual proxies do. */
const KEEP_ALIVE_MS = 65_000;

/** What answers requests: the gateway's entry, or a transport that needs Node's own objects and says that it took one. */
export interface Handlers {
  fetch(request: Request): Promise<Response>;
  /** True where it has answered, or will. */
  raw?(request: IncomingMessage, response: ServerResponse, asRequest: Request): Promise<boolean>;
}

/** A node:http server that translates to web-standard requests and responses, and logs each one. */
export function createHttpServer(handlers: Handlers, log: Log): Server {
  const server = createServer((incoming, outgoing) => {
    const started = performance.now();
    outgoing.on('close', () => {
      const status = outgoing.statusCode;
      log(status >= 400 ? 'warn' : 'debug', 'http request', {
        method: incoming.method,
        path: incoming.url?.split('?')[0],
        status,
        bytes: outgoing.socket ? Number(outgoing.getHeader('content-length') ?? written(outgoing)) : undefined,
        remote: incoming.socket.remoteAddress,
        durationMs: Math.round(performance.now() - started),
      });
    });
    answer(handlers, incoming, outgoing).catch((error: Error) => {
      log('error', 'http answer failed', { error: error.name });
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

const counted = new WeakMap<ServerResponse, number>();

function written(response: ServerResponse): number {
  return counted.get(response) ?? 0;
}

async function answer(handlers: Handlers, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  let request: Request;
  try {
    request = toRequest(incoming, gone.signal);
  } catch {
    outgoing.writeHead(400, { 'content-type': 'text/plain' }).end('Bad Request: the URL or a header is malformed');
    return;
  }
  if (await handlers.raw?.(incoming, outgoing, request)) return;
  await send(await handlers.fetch(request), outgoing);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  // Raw, so that a header sent twice shows as two values and is not quietly one of them.
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  }
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
  const { method = 'GET' } = incoming;
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const body = Readable.toWeb(incoming) as NodeStream as ReadableStream<Uint8Array>;
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  if (!reader) {
    outgoing.end();
    return;
  }
  outgoing.on('close', () => void reader.cancel().catch(() => {}));
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    counted.set(outgoing, written(outgoing) + value.byteLength);
    if (!outgoing.write(value)) {
      await new Promise<void>((resolve) => {
        outgoing.once('drain', resolve).once('close', resolve);
      });
    }
    if (outgoing.destroyed) return;
  }
  outgoing.end();
}
