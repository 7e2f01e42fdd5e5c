import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type FakeServer, type Message } from './fake-server.ts';

/** A fake upstream of the legacy SSE transport. */
export interface RunningSse extends AsyncDisposable {
  url: string;
  /** Streams opened so far. */
  opened: () => number;
  count: (method: string) => number;
  authorizations: Set<string | undefined>;
  /** Breaks every stream. */
  breakStreams: () => void;
}

/** Starts one on a free loopback port; `endpoint` replaces the address it tells clients to post to. */
export async function startSse(server: FakeServer, endpoint?: string): Promise<RunningSse> {
  const streams = new Map<string, ServerResponse>();
  const methods: string[] = [];
  const authorizations = new Set<string | undefined>();
  let opened = 0;
  const listener = createServer(async (request, response) => {
    authorizations.add(request.headers.authorization);
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') {
      const id = String(++opened);
      streams.set(id, response);
      response.on('close', () => streams.delete(id));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${endpoint ?? `/messages?id=${id}`}\n\n`);
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body) as Message;
    methods.push(String(message['method']));
    response.writeHead(202).end();
    const reply = await answer(server, message);
    if (reply)
      streams.get(url.searchParams.get('id') ?? '')?.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const breakStreams = () => {
    for (const stream of streams.values()) stream.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}/sse`,
    opened: () => opened,
    count: (method) => methods.filter((one) => one === method).length,
    authorizations,
    breakStreams,
    async [Symbol.asyncDispose]() {
      breakStreams();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
