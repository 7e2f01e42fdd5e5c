import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPrivateAddress } from './private-address.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** Milliseconds an idle socket is trusted, by the wall clock: servers close theirs from 5 s on, frozen ones die unseen. */
const MAX_IDLE_SOCKET_MS = 4000;

/** Bytes of a JSON answer that are read; an upstream that sends more is broken off. Streams are not bounded. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const NO_BODY = new Set([101, 103, 204, 205, 304]);

/** The request never reached the server. */
export class ConnectFailure extends Error {
  /** Whether the message is made for clients. */
  readonly fitForClient: boolean;

  constructor(message: string, fitForClient: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectFailure';
    this.fitForClient = fitForClient;
  }
}

export interface HttpFetchOptions {
  /** The only origin that is ever spoken to. */
  url: URL;
  /** Added to every request, over the transport's own. */
  headers: () => Promise<Record<string, string>>;
  /** Whether to connect to loopback and private addresses only. */
  privateOnly: boolean;
  proxy: ProxySettings | undefined;
}

/**
 * `fetch` over `node:http`, for what the global one does not tell or allow: sockets idle too long by the wall clock are
 * not used again (a frozen Lambda environment has dead ones), a failure says whether the request can have arrived, the
 * addresses connected to are checked, and no redirect is followed.
 */
export function createHttpFetch({ url: { origin, protocol }, headers, privateOnly, proxy }: HttpFetchOptions) {
  const { request, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, ...(proxy && { proxyEnv: proxy }) });
  let lastUsed = 0;

  async function fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(target);
    if (url.origin !== origin) {
      throw new ConnectFailure('it answers with a redirect to another origin: set its final url', true);
    }
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(await headers())) sent.set(name, value);
    if (typeof init.body === 'string') sent.set('content-length', String(Buffer.byteLength(init.body)));
    if (Date.now() - lastUsed > MAX_IDLE_SOCKET_MS) dropIdle();
    // One turn of the event loop lets closes that have come in meanwhile be seen before a socket is chosen.
    await new Promise<void>((resolve) => setImmediate(resolve));
    init.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      let connected = false;
      const outgoing = request(url, {
        agent,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(sent),
        ...(init.signal && { signal: init.signal }),
        ...(privateOnly && { lookup: privateLookup }),
      });
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) connected = true;
        else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => (connected = true));
      });
      outgoing.on('response', (incoming) => {
        lastUsed = Date.now();
        incoming.once('end', () => (lastUsed = Date.now()));
        resolve(toResponse(incoming));
      });
      outgoing.on('error', (error) => {
        if (connected || init.signal?.aborted || error instanceof ConnectFailure) reject(error);
        else reject(new ConnectFailure(error.message, false, { cause: error }));
      });
      outgoing.end(typeof init.body === 'string' ? init.body : undefined);
    });
  }

  function dropIdle() {
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  return { fetch, close: () => agent.destroy() };
}

function toResponse(incoming: http.IncomingMessage): Response {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  }
  const status = incoming.statusCode ?? 500;
  if (NO_BODY.has(status)) incoming.resume();
  if (!/^text\/event-stream/.test(headers.get('content-type') ?? '')) bound(incoming);
  const body = NO_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText: incoming.statusMessage ?? '', headers });
}

function bound(incoming: http.IncomingMessage): void {
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) incoming.destroy(new Error('The answer is too long'));
  });
  incoming.pause();
}

/** `dns.lookup` that finds nothing but loopback and private addresses. */
const privateLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '');
    const allowed = found.filter(({ address }) => isPrivateAddress(address));
    const first = allowed[0];
    if (!first) {
      const message = 'identity is never sent over plain http outside private networks: use https';
      callback(new ConnectFailure(message, true), '');
    } else if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
