import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * What goes wrong with one request: it never arrives (`refused`), its answer is lost (`lost`), breaks off half-way
 * (`half`) or stands still there (`stalled`), or never comes (`silent`); or it is answered with an error instead.
 */
export type Fault = 'refused' | 'lost' | 'half' | 'stalled' | 'silent' | { status: number; body: string };

/** A request as faults are chosen by. */
interface Passing {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Stands before a server and lets everything through but what a test makes go wrong. */
export interface FaultProxy {
  url: string;
  /** Asked for every request. */
  fault: ((request: Passing) => Fault | undefined) | undefined;
  /** How many requests have gone wrong. */
  faults: number;
  close(): void;
}

/** Starts one before `target`, an `http://host:port`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<unknown> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = '', url: path = '', headers } = incoming;
    const fault = proxy.fault?.({ method, path, headers, body: body.toString() });
    if (fault) proxy.faults += 1;
    if (fault === 'refused') return incoming.socket.destroy();
    if (fault === 'silent') return undefined;
    if (typeof fault === 'object') {
      const type = fault.body.startsWith('<') ? 'application/xml' : 'application/x-amz-json-1.0';
      return outgoing.writeHead(fault.status, { 'content-type': type }).end(fault.body);
    }
    const answer = await pass(method, path, headers, body);
    if (fault === 'lost') return incoming.socket.destroy();
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault === undefined) return answer.pipe(outgoing);
    const whole: Buffer[] = [];
    for await (const piece of answer) whole.push(piece as Buffer);
    const all = Buffer.concat(whole);
    return outgoing.write(all.subarray(0, all.length / 2), () => {
      if (fault === 'half') incoming.socket.destroy();
    });
  }

  function pass(method: string, path: string, headers: IncomingMessage['headers'], body: Buffer) {
    return new Promise<IncomingMessage>((answered, failed) => {
      send({ hostname, port, method, path, headers }, answered).on('error', failed).end(body);
    });
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    faults: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
