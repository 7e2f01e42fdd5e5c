import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY, ProtocolError, Server } from '@modelcontextprotocol/server';
import { errorNames } from '../error-names.ts';
import type { JsonObject } from '../json.ts';
import { shownName } from '../shown-name.ts';
import type { InboundClient } from '../upstream/contract.ts';
import { askable, linkOfServer } from './client-link.ts';
import { followLists } from './follow-lists.ts';
import type { Method, MethodContext, Peer } from './method.ts';
import { type Methods, methodsFor } from './methods.ts';
import { RPC } from './responses.ts';
import type { ServerServices } from './services.ts';

/**
 * The SDK's server with our methods behind it. They hang on its fallback, which hands requests and results through as they
 * are: the SDK's own handlers drop unknown fields of results and refuse content they do not know, and a gateway may do neither.
 */
export async function createMcpServer(services: ServerServices, peer: Peer, method?: string): Promise<Server> {
  const catalogue = await services.catalogue(peer.caller);
  const view = services.view(catalogue, peer.caller);
  const methods = methodsFor(view, services, peer);
  const server = newServer(services, methods);
  const known = method === undefined || Object.hasOwn(methods.handlers, method);
  if (known)
    server.fallbackRequestHandler = (request, ctx) => dispatch(methods.handlers, services, peer, server, request, ctx);
  return server;
}

/** The server of a client that stays connected (stdio, SSE): it is told of changed lists, and upstreams can reach it. */
export async function createLastingServer(services: ServerServices, peer: Peer): Promise<Server> {
  const catalogue = await services.catalogue(peer.caller);
  const id = services.randomId();
  const lasting: Peer = { ...peer };
  const server = newServer(services, methodsFor(services.view(catalogue, peer.caller), services, peer));
  if (peer.era === 'legacy') lasting.link = linkOfServer(server, id);
  // What is offered may grow while the client stays; what was announced at first bounds it.
  server.fallbackRequestHandler = async (request, ctx) => {
    const seen = services.view(await services.catalogue(peer.caller), peer.caller);
    return dispatch(methodsFor(seen, services, lasting).handlers, services, lasting, server, request, ctx);
  };
  await followLists(server, services, peer);
  const { onclose } = server;
  server.onclose = () => {
    for (const { name } of services.config.upstream) void services.upstream(name)?.endSession(id);
    onclose?.();
  };
  return server;
}

function newServer({ config }: ServerServices, methods: Methods): Server {
  const server = new Server(
    { name: config.server.name, version: config.server.version },
    { capabilities: methods.capabilities, instructions: methods.instructions },
  );
  // The SDK would answer this itself, without telling the upstreams.
  if (methods.capabilities.logging) server.removeRequestHandler('logging/setLevel');
  return server;
}

async function dispatch(
  handlers: Readonly<Record<string, Method>>,
  services: ServerServices,
  peer: Peer,
  server: Server,
  request: JSONRPCRequest,
  ctx: ServerContext,
): Promise<Result> {
  const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
  if (!handler) throw new ProtocolError(RPC.methodNotFound, `Method not found: ${shownName(request.method)}`);
  const params = (request.params ?? {}) as JsonObject;
  const { mcpReq } = ctx;
  const state = mcpReq.requestState();
  const notify = (method: string, notice: JsonObject) =>
    mcpReq.notify({ method, params: notice } as Parameters<typeof mcpReq.notify>[0]);
  const { client, done } = clientOf(peer, ctx, notify);
  try {
    return await handler(params, {
      services,
      peer,
      server,
      meta: mcpReq._meta as JsonObject | undefined,
      signal: mcpReq.signal,
      notify,
      ...(client && { client }),
      input: {
        ...(mcpReq.inputResponses && { responses: mcpReq.inputResponses as unknown as JsonObject }),
        ...(typeof state === 'string' && { state }),
      },
    });
  } catch (error) {
    if (error instanceof ProtocolError || mcpReq.signal.aborted) throw error;
    const requestId = services.randomId();
    const { stack } = error instanceof Error ? error : new Error();
    services.log('error', 'internal error', {
      requestId,
      method: shownName(request.method),
      ...errorNames(error),
      at: stack?.split('\n')[1]?.trim(),
    });
    throw new ProtocolError(RPC.internal, `Internal error (request ${requestId})`);
  } finally {
    done();
  }
}

/** What upstreams learn of the client: by its session's link, or from a modern request's own envelope. */
function clientOf(
  { era, link, logs, caller }: Peer,
  { mcpReq }: ServerContext,
  notify: MethodContext['notify'],
): { client: InboundClient | undefined; done(): void } {
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  if (era !== 'modern' || !declared) return { client: link?.client(), done() {} };
  const capabilities = askable(declared as JsonObject);
  const logLevel = envelope[LOG_LEVEL_META_KEY];
  if (!logs || typeof logLevel !== 'string') return { client: { capabilities }, done() {} };
  // A client that has gone wants no messages.
  const hear = (message: JsonObject) => void notify('notifications/message', message).catch(() => {});
  const { session, stop } = logs.follow(caller, logLevel, hear);
  return { client: { capabilities, session, logLevel, onlyHears: true }, done: stop };
}
