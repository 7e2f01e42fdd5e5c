import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '../json.ts';
import type { Method, Peer } from './method.ts';
import { methodsFor } from './methods.ts';
import { RPC } from './responses.ts';
import type { ServerServices } from './services.ts';

/**
 * The SDK's server with our methods behind it. They hang on its fallback, which hands requests and results through as they
 * are: the SDK's own handlers drop unknown fields of results and refuse content they do not know, and a gateway may do
 * neither. `serve` false leaves an unknown method to the SDK's own refusal, which has the right HTTP status.
 */
export async function createMcpServer(services: ServerServices, peer: Peer, method?: string): Promise<Server> {
  const { config } = services;
  const catalogue = await services.catalogue(peer.caller);
  const view = services.view(catalogue, peer.caller);
  const methods = methodsFor(view, services, peer);
  const server = new Server(
    { name: config.server.name, version: config.server.version },
    { capabilities: methods.capabilities, instructions: methods.instructions },
  );
  const known = method === undefined || Object.hasOwn(methods.handlers, method);
  if (known)
    server.fallbackRequestHandler = (request, ctx) => dispatch(methods.handlers, services, peer, server, request, ctx);
  server.oninitialized = () => services.log('debug', 'mcp session ready', { session: peer.session });
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
  if (!handler) throw new ProtocolError(RPC.methodNotFound, `Method not found: ${request.method}`);
  const params = (request.params ?? {}) as JsonObject;
  const { mcpReq } = ctx;
  const state = mcpReq.requestState();
  try {
    return await handler(params, {
      services,
      peer,
      server,
      meta: mcpReq._meta as JsonObject | undefined,
      signal: mcpReq.signal,
      notify: (method, notice) => mcpReq.notify({ method, params: notice } as Parameters<typeof mcpReq.notify>[0]),
      input: {
        ...(mcpReq.inputResponses && { responses: mcpReq.inputResponses as unknown as JsonObject }),
        ...(typeof state === 'string' && { state }),
      },
    });
  } catch (error) {
    if (error instanceof ProtocolError || mcpReq.signal.aborted) throw error;
    const requestId = services.randomId();
    const { name, stack } = error instanceof Error ? error : new Error(String(error));
    services.log('error', 'internal error', {
      requestId,
      method: request.method,
      error: name,
      at: stack?.split('\n')[1]?.trim(),
    });
    throw new ProtocolError(RPC.internal, `Internal error (request ${requestId})`);
  }
}
