import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { UpstreamConfig } from '../config/schema.ts';

/** Mints a short-lived token that tells one upstream who the user is. */
export type Mint = (audience: string, caller: Caller & { userId: string }) => Promise<string>;

/** How a caller appears to an upstream. */
export interface UpstreamIdentity {
  /** Equal keys may share connections; empty for nobody in particular. Holds no secret. */
  key: string;
  /** The headers that tell it, made anew for every request. */
  headers: () => Promise<Record<string, string>>;
}

type ForwardAuth = NonNullable<UpstreamConfig['forward_auth']>;

/** Only these are ever forwarded: API keys and other bearers are not. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const NOBODY: UpstreamIdentity = { key: '', headers: async () => ({}) };

/** What is forwarded to a server: as configured, else `session` unless it has its own `Authorization` (CONTRACT). */
export function forwardAuthOf(config: UpstreamConfig): ForwardAuth {
  if (config.transport === 'stdio') return 'none';
  if (config.forward_auth) return config.forward_auth;
  const own = Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
  return own ? 'none' : 'session';
}

/** The identity that a caller has at an upstream; `url` is its address, references resolved. */
export function identityAt(config: UpstreamConfig, url: string, caller: Caller, mint?: Mint): UpstreamIdentity {
  const { userId, token } = caller;
  switch (forwardAuthOf(config)) {
    case 'none':
      return NOBODY;
    case 'session':
      if (!token || !JWT.test(token)) return NOBODY;
      return { key: `session:${digest(token)}`, headers: async () => ({ authorization: `Bearer ${token}` }) };
    case 'minted':
      if (userId === undefined || !mint) return NOBODY;
      return {
        key: `minted:${digest(userId)}`,
        headers: async () => ({ authorization: `Bearer ${await mint(url, { ...caller, userId })}` }),
      };
    case 'user_headers': {
      if (userId === undefined) return NOBODY;
      const headers = userHeaders({ ...caller, userId });
      return { key: `user:${digest(JSON.stringify(headers))}`, headers: async () => headers };
    }
  }
}

function userHeaders({ userId, email, name, role }: Caller & { userId: string }): Record<string, string> {
  const headers: Record<string, string> = { 'x-user-id': headerValue(userId) };
  if (email) headers['x-user-email'] = headerValue(email);
  if (name) headers['x-user-name'] = headerValue(name);
  if (role) headers['x-user-role'] = headerValue(role);
  return headers;
}

/** Header fields carry visible ASCII: everything else, and `%` itself, is percent-encoded UTF-8. */
function headerValue(text: string): string {
  return text.toWellFormed().replace(/[^ !"#$&-~]+/g, encodeURIComponent);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
