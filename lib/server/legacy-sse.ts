import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/server';
import { ANONYMOUS } from '../access/caller.ts';
import { createLastingServer } from './mcp-server.ts';
import type { ServerServices } from './services.ts';

/** The HTTP+SSE transport of 2024-11-05: `GET /sse` opens a stream, `POST /messages?sessionId=…` speaks into it. */
export interface SseService {
  open(response: ServerResponse): Promise<void>;
  post(request: IncomingMessage, response: ServerResponse, sessionId: string): Promise<void>;
  close(): Promise<void>;
}

/** Serves legacy SSE clients of the local process; nobody is identified there (reference). */
export async function createSseService(services: ServerServices): Promise<SseService> {
  const { SSEServerTransport } = await import('@modelcontextprotocol/sdk/server/sse.js');
  const transports = new Map<string, InstanceType<typeof SSEServerTransport>>();
  return {
    async open(response) {
      const transport = new SSEServerTransport('/messages', response);
      const session = transport.sessionId.slice(0, 8);
      const server = await createLastingServer(services, { caller: ANONYMOUS, era: 'legacy', session });
      const { onclose } = server;
      server.onclose = () => {
        transports.delete(transport.sessionId);
        services.log('info', 'session closed', { session });
        onclose?.();
      };
      transports.set(transport.sessionId, transport);
      services.log('info', 'session opened', { session });
      // The transport is of the SDK's older line; the shape of the two is the same.
      await server.connect(transport as unknown as Transport);
    },
    async post(request, response, sessionId) {
      const transport = transports.get(sessionId);
      if (transport) await transport.handlePostMessage(request, response);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('Session not found: open GET /sse again');
    },
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}
