import { SUPPORTED_PROTOCOL_VERSIONS, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Session } from '../session/contract.ts';
import { shownName } from '../shown-name.ts';
import { refuseBatch } from './batch.ts';
import { jsonUnlessMore } from './json-unless-more.ts';
import { soonOrStream } from './late-stream.ts';
import { createMcpServer } from './mcp-server.ts';
import type { Peer } from './method.ts';
import { idOf, RPC, rpcError } from './responses.ts';
import type { ServerServices } from './services.ts';
import { createSessionLinks } from './session-links.ts';
import { createStandaloneStreams } from './standalone-streams.ts';
import { whenDone } from './when-done.ts';

/** A session ends this long after it began, milliseconds. */
const SESSION_TTL_MS = 24 * 60 * 60 * 1000;

const SESSION_HEADER = 'mcp-session-id';

/** Serves the eras from 2024-11-05 to 2025-11-25: a stateless SDK transport a request, and sessions that are ours. */
export function createLegacy(services: ServerServices) {
  const { sessions, now } = services;
  /** Requests under way in this process, for `notifications/cancelled`: session and JSON-RPC id → abort. */
  const underWay = new Map<string, AbortController>();
  const streams = createStandaloneStreams(services);
  const links = createSessionLinks({
    randomId: services.randomId,
    now,
    sessions,
    answers: services.answers,
    standalone: streams.write,
  });

  /** The session a request names, or the refusal. */
  async function sessionOf(request: Request, caller: Caller, body?: unknown): Promise<Session | Response> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null || id === '') {
      const message =
        'Bad Request: Mcp-Session-Id is missing; send initialize first, then its Mcp-Session-Id with each request';
      return rpcError(400, RPC.transport, message, { id: idOf(body) });
    }
    const session = await sessions.get(id, now());
    if (!session || session.expiresAt <= now() || session.userId !== caller.userId) return sessionNotFound(body);
    const version = request.headers.get('mcp-protocol-version');
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      const message = `Bad Request: Unsupported protocol version: ${shownName(version)} (supported versions: ${supported})`;
      return rpcError(400, RPC.transport, message, { id: idOf(body) });
    }
    return session;
  }

  async function initialize(request: Request, body: JsonObject, caller: Caller): Promise<Response> {
    const id = services.randomId();
    const { answer, server } = await exchange(request, body, { caller, era: 'legacy', session: id.slice(0, 8) }, true);
    const response = await answer;
    const protocolVersion = server.getNegotiatedProtocolVersion();
    if (!response.ok || protocolVersion === undefined) return response;
    const client = clientOf(server.getClientVersion());
    const session: Session = {
      id,
      protocolVersion,
      capabilities: (server.getClientCapabilities() ?? {}) as JsonObject,
      createdAt: now(),
      expiresAt: now() + SESSION_TTL_MS,
      ...(caller.userId !== undefined && { userId: caller.userId }),
      ...(client && { clientName: client.name, clientVersion: client.version }),
    };
    await sessions.create(session);
    const fields = { client: client?.name, clientVersion: client?.version, protocol: protocolVersion };
    services.log('info', 'mcp initialized', { ...fields, session: id.slice(0, 8) });
    services.log('info', 'session opened', { session: id.slice(0, 8) });
    const headers = new Headers(response.headers);
    headers.set(SESSION_HEADER, id);
    return new Response(response.body, { status: response.status, headers });
  }

  /** Runs one message or batch through the SDK. */
  async function exchange(request: Request, body: JsonObject | JsonObject[], peer: Peer, json: boolean) {
    const server = await createMcpServer(services, peer);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: json });
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    const headers = new Headers(request.headers);
    // The SDK insists on both media types; what a client leaves out it does not have to read.
    headers.set('accept', 'application/json, text/event-stream');
    const inner = new Request(request.url, { method: 'POST', headers });
    return { server, transport, answer: transport.handleRequest(inner, { parsedBody: body }) };
  }

  async function message(
    request: Request,
    body: JsonObject | JsonObject[],
    caller: Caller,
    deadline: number | undefined,
  ): Promise<Response> {
    const session = await sessionOf(request, caller, body);
    if (session instanceof Response) return session;
    const messages = Array.isArray(body) ? body : [body];
    if (Array.isArray(body)) {
      const refused = refuseBatch(body, session);
      if (refused) return refused;
    }
    for (const one of messages) if (!('method' in one)) await links.respond(session, one);
    for (const notice of messages) {
      if (notice.method === 'notifications/cancelled' && isJsonObject(notice.params)) {
        underWay.get(key(session, notice.params.requestId))?.abort();
      }
    }
    const requests = messages.filter((one) => 'method' in one && 'id' in one);
    if (requests.length === 0) return new Response(null, { status: 202 });

    const accept = request.headers.get('accept') ?? '*/*';
    const streamed = !Array.isArray(body) && /text\/(?:event-stream|\*)|\*\/\*/.test(accept);
    const peer: Peer = {
      caller,
      era: 'legacy',
      session: session.id.slice(0, 8),
      link: links.of(session),
      ...(deadline !== undefined && { deadline }),
    };
    const { server, transport, answer } = await exchange(request, body, peer, !streamed);
    const cancel = new AbortController();
    const keys = requests.map((one) => key(session, one.id));
    for (const one of keys) underWay.set(one, cancel);
    const [first] = requests;
    const detach = streamed
      ? links.attach(
          session,
          (message) => {
            // Fails where the request has just been answered: nobody waits for it any more.
            transport.send(message as never, { relatedRequestId: first!.id as string }).catch(() => {});
          },
          deadline,
        )
      : () => {};
    const cancelled = new Promise<Response>((resolve) => {
      cancel.signal.addEventListener('abort', () => {
        for (const { id } of requests) {
          transport.onmessage?.({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId: id as string },
          });
        }
        // A cancelled request gets no answer (MCP, "Cancellation").
        resolve(new Response(null, { status: 202 }));
        void server.close();
      });
    });
    const forget = (): void => {
      detach();
      for (const one of keys) if (underWay.get(one) === cancel) underWay.delete(one);
    };
    const soon = streamed ? answer.then(jsonUnlessMore) : answer;
    const response = Promise.race([soon, cancelled]).then((settled) => whenDone(settled, forget));
    return streamed ? soonOrStream(response, idOf(body), () => {}) : response;
  }

  return {
    /** A POST of the legacy eras; `body` is parsed JSON. */
    async post(request: Request, body: unknown, caller: Caller, deadline?: number): Promise<Response> {
      if (isJsonObject(body) && body.method === 'initialize') return initialize(request, body, caller);
      return message(request, body as JsonObject | JsonObject[], caller, deadline);
    },
    /** The standalone stream of a session; only where streams are held. */
    async get(request: Request, caller: Caller): Promise<Response> {
      if (!(request.headers.get('accept') ?? '').includes('text/event-stream')) {
        return rpcError(
          406,
          RPC.transport,
          'Not Acceptable: a GET opens an event stream; send Accept: text/event-stream',
        );
      }
      const session = await sessionOf(request, caller);
      return session instanceof Response ? session : streams.open(session, caller, request.signal);
    },
    async delete(request: Request, caller: Caller): Promise<Response> {
      const session = await sessionOf(request, caller);
      if (session instanceof Response) return session;
      const ended = await sessions.delete(session.id);
      streams.end(session.id);
      links.end(session.id);
      for (const { name } of services.config.upstream) void services.upstream(name)?.endSession(session.id);
      // Another request, perhaps in another environment, has just ended it.
      if (!ended) return sessionNotFound();
      services.log('info', 'session closed', { session: session.id.slice(0, 8) });
      return new Response(null, { status: 204 });
    },
  };
}

function sessionNotFound(body?: unknown): Response {
  const message = 'Session not found: it has ended or never was yours; send initialize for a new one';
  return rpcError(404, RPC.sessionNotFound, message, { id: idOf(body) });
}

/** The client as it names itself, in a length that can be kept. */
function clientOf(told: { name: string; version: string } | undefined) {
  return told && { name: shownName(told.name), version: shownName(told.version) };
}

function key(session: Session, requestId: unknown): string {
  return `${session.id} ${JSON.stringify(requestId)}`;
}
