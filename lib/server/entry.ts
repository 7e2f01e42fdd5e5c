import type { Caller } from '../access/caller.ts';
import { challenge, METADATA_PATH, resourceMetadata } from '../access/resource-metadata.ts';
import type { Config } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { type Log, silent } from '../log.ts';
import type { Gateway, RequestOptions } from './http.ts';
import { RPC, rpcError, unavailable } from './responses.ts';

/** Who sent a request, or the message of the 401 it deserves. */
export type Identify = (headers: Headers) => Promise<{ caller: Caller } | { rejected: string }>;

/** A gateway that identifies its callers itself: what every edge puts its requests into. */
export type Entry = (request: Request, options?: RequestOptions) => Promise<Response>;

/** Puts identity before the gateway. Health checks, preflights and metadata need none. */
export function createEntry(gateway: Gateway, identify: Identify, auth: Config['auth'], log: Log = silent): Entry {
  /** Where a token cannot be checked now. What is missing inside, a secret's name for one, is for the log only. */
  const uncheckable = (error: unknown): Response => {
    if (!(error instanceof CodeModeError)) throw error;
    log('error', 'callers cannot be identified', { error: error.message });
    if (error.code !== 'internal') return unavailable(error);
    return unavailable(new CodeModeError('internal', 'Tokens cannot be checked at the moment; try again shortly.'));
  };

  return async (request, options) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/\/$/, '');
    const base = `${url.origin}${options?.prefix ?? ''}`;
    if (path === METADATA_PATH || path === `${METADATA_PATH}/mcp`) {
      const metadata = resourceMetadata(`${base}/mcp`, auth);
      return metadata
        ? Response.json(metadata)
        : rpcError(404, RPC.transport, 'Not Found: this server has no authorization server of its own');
    }
    if (path === '/healthz' || request.method === 'OPTIONS') return gateway(request, { admin: false }, options);
    const identity = await identify(request.headers).catch(uncheckable);
    if (identity instanceof Response) return identity;
    if ('caller' in identity) return gateway(request, identity.caller, options);
    return rpcError(401, RPC.transport, `Unauthorized: ${identity.rejected}`, {
      headers: { 'www-authenticate': challenge(base, auth) },
    });
  };
}
