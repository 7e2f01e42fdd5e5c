import type { Config } from '../config/schema.ts';
import type { JsonObject } from '../json.ts';

/**
 * Protected-resource metadata (RFC 9728) of this endpoint, where tokens of an outside issuer are accepted
 * (`auth.jwks_url` with `auth.issuer`); undefined where there is no such issuer to point to.
 */
export function resourceMetadata(resource: string, auth: Config['auth']): JsonObject | undefined {
  if (!auth?.jwks_url || !auth.issuer) return undefined;
  return { resource, authorization_servers: [auth.issuer], bearer_methods_supported: ['header'] };
}
