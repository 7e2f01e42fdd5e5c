import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ANONYMOUS } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import { createLastingServer } from './mcp-server.ts';
import { createRequestLogs } from './request-logs.ts';
import type { ServerServices } from './services.ts';
import { watchedListen } from './watched-listen.ts';

/** One client over a pair of streams; local, so nobody is identified (reference). */
export interface StdioService {
  /** Resolves when the input has ended and every request in it is answered, or the output is gone. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP over stdio, in the era the client opens with. Requests piped in are all answered before the end. */
export function serveOverStdio(services: ServerServices, input: Readable, output: Writable): StdioService {
  let server: Server | undefined;
  /** What ends the watching of resources, by the id of the `subscriptions/listen` that asked for it. */
  const watches = new Map<unknown, () => void>();
  const unwatch = (id: unknown): void => {
    watches.get(id)?.();
    watches.delete(id);
  };
  const updated = (uri: string): void => {
    server?.notification({ method: 'notifications/resources/updated', params: { uri } }).catch(() => {});
  };
  const wire = answeringTransport(input, output, {
    async listens(message) {
      const watched = await watchedListen(services, ANONYMOUS, message as unknown as JsonObject, updated);
      unwatch((message as { id?: unknown }).id);
      watches.set((message as { id?: unknown }).id, watched.stop);
      return watched.message as unknown as JSONRPCMessage;
    },
    cancels: unwatch,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const logs = createRequestLogs();
  const serve = async ({ era }: { era: 'legacy' | 'modern' }): Promise<Server> => {
    server = await createLastingServer(services, { caller: ANONYMOUS, era, session: 'stdio', logs });
    return server;
  };
  const handle = serveStdio(serve, {
    transport: wire.transport,
    onerror: (error) => services.log('debug', 'stdio message refused', { error: error.name }),
  });
  const end = (): void => {
    for (const stop of watches.values()) stop();
    resolve();
  };
  wire.closed.then(end, end);
  return { ended, close: () => handle.close() };
}

/** What is to be done about `subscriptions/listen` before the SDK gets it, and when it is taken back. */
interface Listening {
  listens(message: JSONRPCMessage): Promise<JSONRPCMessage>;
  cancels(id: unknown): void;
}

/**
 * The SDK's transport gives up what is under way when its input ends. This one lets the end through only when all is
 * answered (`subscriptions/listen` has no answer to wait for).
 */
function answeringTransport(
  input: Readable,
  output: Writable,
  { listens, cancels }: Listening,
): { transport: Transport; closed: Promise<void> } {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const feed = new PassThrough();
  const inner = new StdioServerTransport(feed, output);
  const pending = new Set<string | number>();
  /** Each `subscriptions/listen` on its way to the SDK. */
  const opening = new Map<string | number, Promise<void>>();
  let inputEnded = false;

  const endWhenAnswered = (): void => {
    if (!inputEnded || pending.size > 0) return;
    if (feed.readableLength > 0 || feed.writableLength > 0) setImmediate(endWhenAnswered);
    else feed.end();
  };
  const inputEnds = (): void => {
    inputEnded = true;
    // The last bytes may still be on their way through the feed.
    setImmediate(endWhenAnswered);
  };
  input.pipe(feed, { end: false });
  input.on('end', inputEnds).on('close', inputEnds).on('error', inputEnds);

  const transport: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    async send(message) {
      try {
        await inner.send(message);
      } finally {
        if (!('method' in message) && message.id !== undefined) pending.delete(message.id);
        endWhenAnswered();
      }
    },
  };
  inner.onmessage = (message: JSONRPCMessage) => {
    const method = 'method' in message ? message.method : undefined;
    const forward = (one: JSONRPCMessage): void => transport.onmessage?.(one);
    if ('method' in message && 'id' in message && method === 'subscriptions/listen') {
      const opened = listens(message).then(forward, () => forward(message));
      opening.set(message.id, opened);
      void opened.finally(() => opening.delete(message.id));
      return;
    }
    if ('method' in message && 'id' in message) pending.add(message.id);
    if ('method' in message && method === 'notifications/cancelled') {
      const id = (message.params as { requestId?: string | number } | undefined)?.requestId ?? '';
      pending.delete(id);
      // One that is still being opened is taken back when it stands.
      const opened = opening.get(id);
      if (opened !== undefined) {
        void opened.then(() => {
          cancels(id);
          forward(message);
        });
        return;
      }
      cancels(id);
    }
    forward(message);
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onclose = () => {
    transport.onclose?.();
    resolve();
  };
  return { transport, closed };
}
