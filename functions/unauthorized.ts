import { challenge } from '../lib/access/resource-metadata.ts';
import type { Config } from '../lib/config/schema.ts';

/** What API Gateway is to answer where the authorizer refuses; `base` is the public address without our paths. */
export function unauthorized(base: string, auth: Config['auth']): { challenge: string; body: string } {
  const message = 'Unauthorized: send a valid session token in "Authorization: Bearer <token>"';
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  return { challenge: challenge(base, auth), body };
}
