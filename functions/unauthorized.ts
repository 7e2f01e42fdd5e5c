import { challenge } from '../lib/access/resource-metadata.ts';
import { neededToken } from '../lib/access/sign-in.ts';
import type { Config } from '../lib/config/schema.ts';

/** What API Gateway is to answer where the authorizer refuses; `base` is the public address without our paths. */
export function unauthorized(base: string, auth: Config['auth']): { challenge: string; body: string } {
  const message = `Unauthorized: send a valid ${neededToken(auth)}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  return { challenge: challenge(base, auth), body };
}
