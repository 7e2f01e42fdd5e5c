import type { Config } from '../config/schema.ts';
import type { JsonObject } from '../json.ts';

/** Where the metadata stands, below the public address. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * Protected-resource metadata (RFC 9728) of this endpoint, where tokens of an outside issuer are accepted
 * (`auth.jwks_url` with `auth.issuer`); undefined where there is no such issuer to point to. Clients ask for a token for
 * `resource`: where `auth.audience` is an address, that is what the token must be for; else `address`, as it was asked.
 */
export function resourceMetadata(address: string, auth: Config['auth']): JsonObject | undefined {
  if (!auth?.jwks_url || !auth.issuer) return undefined;
  const resource = auth.audience?.match(/^https?:\/\//) ? auth.audience : address;
  return { resource, authorization_servers: [auth.issuer], bearer_methods_supported: ['header'] };
}

/** The `WWW-Authenticate` of a 401: where a token can be had, if that can be said. */
export function challenge(base: string, auth: Config['auth']): string {
  return resourceMetadata(base, auth) ? `Bearer resource_metadata="${base}${METADATA_PATH}"` : 'Bearer';
}
