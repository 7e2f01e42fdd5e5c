import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ANONYMOUS } from '../access/caller.ts';
import { createLastingServer } from './mcp-server.ts';
import type { ServerServices } from './services.ts';

/** One client over a pair of streams; local, so nobody is identified (reference). */
export interface StdioService {
  /** Resolves when the input has ended and every request in it is answered, or the output is gone. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP over stdio, in the era the client opens with. Requests piped in are all answered before the end. */
export function serveOverStdio(services: ServerServices, input: Readable, output: Writable): StdioService {
  const wire = answeringTransport(input, output);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(({ era }) => createLastingServer(services, { caller: ANONYMOUS, era, session: 'stdio' }), {
    transport: wire.transport,
    onerror: (error) => services.log('debug', 'stdio message refused', { error: error.name }),
  });
  wire.closed.then(resolve, resolve);
  return { ended, close: () => handle.close() };
}

/**
 * The SDK's transport gives up what is under way when its input ends. This one lets the end through only when all is
 * answered (`subscriptions/listen` has no answer to wait for).
 */
function answeringTransport(input: Readable, output: Writable): { transport: Transport; closed: Promise<void> } {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const feed = new PassThrough();
  const inner = new StdioServerTransport(feed, output);
  const pending = new Set<string | number>();
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
    if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen') pending.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') {
      pending.delete((message.params as { requestId?: string | number } | undefined)?.requestId ?? '');
    }
    transport.onmessage?.(message);
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onclose = () => {
    transport.onclose?.();
    resolve();
  };
  return { transport, closed };
}
