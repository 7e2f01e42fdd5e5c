import type { Caller } from '../access/caller.ts';
import { errorNames } from '../error-names.ts';
import { CodeModeError } from '../errors.ts';
import { corsHeaders, preflight, refuseByOrigin } from './origin.ts';
import { readJsonBody } from './read-body.ts';
import { internalError, RPC, rpcError, unavailable } from './responses.ts';
import type { ServerServices } from './services.ts';

/** What accompanies one HTTP request. */
export interface RequestOptions {
  /** When the platform ends the request, milliseconds since the epoch, margin already taken off. */
  deadline?: number;
  /** What the public address has before our paths, e.g. a stage: `/prod`. */
  prefix?: string;
}

/** One behaviour for every edge: a web-standard request of an identified caller in, a response out. Never rejects. */
export type Gateway = (request: Request, caller: Caller, options?: RequestOptions) => Promise<Response>;

/** The gateway's HTTP face (DESIGN, "HTTP behaviour"). */
export function createGateway(services: ServerServices): Gateway {
  // Both eras load with the first request that needs them: a health check or a refusal should not pay for it.
  let eras: ReturnType<typeof loadEras> | undefined;
  const serve = async (request: Request, caller: Caller, deadline: number | undefined): Promise<Response> => {
    const path = new URL(request.url).pathname.replace(/\/$/, '');
    if (path === '/healthz') return health(request);
    if (path !== '/mcp') return rpcError(404, RPC.transport, 'Not Found: the MCP endpoint is /mcp');
    const refused = refuseByOrigin(request, services);
    if (refused) return refused;
    if (request.method === 'OPTIONS') return preflight(request);
    if (
      request.method !== 'POST' &&
      request.method !== 'DELETE' &&
      !(request.method === 'GET' && services.holdsStreams)
    ) {
      return notAllowed(services.holdsStreams);
    }
    eras ??= loadEras(services);
    const { legacy, modern, classify } = await eras;
    if (request.method === 'GET') return legacy.get(request, caller);
    if (request.method === 'DELETE') return legacy.delete(request, caller);
    const read = await readJsonBody(request, services.config.server.max_body_bytes);
    if ('refused' in read) return read.refused;
    const era = classify(request, read.body);
    if (era === 'legacy') return legacy.post(request, read.body, caller, deadline);
    return modern(request, read.body, caller, deadline);
  };

  return async (request, caller, { deadline } = {}) => {
    let response: Response;
    try {
      response = await serve(request, caller, deadline);
    } catch (error) {
      const requestId = services.randomId();
      const { stack } = error instanceof Error ? error : new Error();
      const at = stack?.split('\n')[1]?.trim();
      services.log('error', 'internal error', { requestId, ...errorNames(error), at });
      response = error instanceof CodeModeError ? unavailable(error, requestId) : internalError(requestId);
    }
    const cors = response.status === 403 ? {} : corsHeaders(request);
    return withHeaders(response, { ...cors, 'x-content-type-options': 'nosniff' });
  };
}

async function loadEras(services: ServerServices) {
  const [{ createLegacy }, { createModern }, { classifyInboundRequest }] = await Promise.all([
    import('./legacy.ts'),
    import('./modern.ts'),
    import('@modelcontextprotocol/server'),
  ]);
  const header = (request: Request, name: string): string | undefined => request.headers.get(name) ?? undefined;
  return {
    legacy: createLegacy(services),
    modern: createModern(services),
    /** By the body first; what is neither era's goes to the modern side, whose refusals are the SDK's. */
    classify(request: Request, body: unknown): 'legacy' | 'modern' {
      const version = header(request, 'mcp-protocol-version');
      const method = header(request, 'mcp-method');
      const name = header(request, 'mcp-name');
      const outcome = classifyInboundRequest({
        httpMethod: 'POST',
        body,
        ...(version !== undefined && { protocolVersionHeader: version }),
        ...(method !== undefined && { mcpMethodHeader: method }),
        ...(name !== undefined && { mcpNameHeader: name }),
      });
      return outcome.kind === 'legacy' ? 'legacy' : 'modern';
    },
  };
}

function health(request: Request): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
  }
  return Response.json({ status: 'ok' });
}

function notAllowed(holdsStreams: boolean): Response {
  const allow = holdsStreams ? 'GET, POST, DELETE, OPTIONS' : 'POST, DELETE, OPTIONS';
  return rpcError(405, RPC.transport, `Method Not Allowed: use ${allow}`, { headers: { allow } });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
