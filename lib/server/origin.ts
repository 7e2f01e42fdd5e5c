import { parseAddress } from '../config/address.ts';
import { RPC, rpcError } from './responses.ts';
import type { ServerServices } from './services.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Who may talk to this server from where. */
interface OriginRules {
  /** Origins of browsers, e.g. `https://chat.example.com`; absent: loopback when local, none elsewhere. */
  allowedOrigins?: readonly string[];
  /** Whether the server listens on loopback only: then `Host` must be loopback too (DNS rebinding). */
  loopback: boolean;
}

/** Whether an address is a loopback one; `host` absent means all interfaces. */
function isLoopback(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.has(host.toLowerCase());
}

/** The refusal of a request by its `Origin` or `Host`, or undefined where it may pass. */
export function refuseByOrigin(request: Request, services: ServerServices): Response | undefined {
  const rules = rulesOf(services);
  if (rules.loopback && !isLoopback(hostOf(request))) {
    return rpcError(
      403,
      RPC.transport,
      'Forbidden: this server answers on localhost only; use http://127.0.0.1 or localhost',
    );
  }
  const origin = request.headers.get('origin');
  if (origin === null || origin === '' || allowed(origin, rules)) return undefined;
  return rpcError(403, RPC.transport, 'Forbidden: this Origin is not allowed; add it to server.allowed_origins');
}

/** Headers that let an allowed browser origin read the answer. */
export function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null || origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate',
    vary: 'Origin',
  };
}

/** The answer to a browser's preflight. */
export function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request),
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': asked ?? 'Content-Type, Authorization, Mcp-Session-Id, Mcp-Protocol-Version',
      'access-control-max-age': '86400',
    },
  });
}

function rulesOf({ config, holdsStreams }: ServerServices): OriginRules {
  const { allowed_origins: allowedOrigins, address } = config.server;
  // On AWS the address means nothing: the endpoint is public, and no origin is allowed unless it is named.
  return {
    loopback: holdsStreams && isLoopback(parseAddress(address)?.host),
    ...(allowedOrigins && { allowedOrigins }),
  };
}

function allowed(origin: string, rules: OriginRules): boolean {
  if (rules.allowedOrigins) return rules.allowedOrigins.includes(origin) || rules.allowedOrigins.includes('*');
  if (!rules.loopback) return false;
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

function hostOf(request: Request): string | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
