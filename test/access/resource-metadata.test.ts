import { describe, expect, it } from 'vitest';
import { challenge, METADATA_PATH, resourceMetadata } from '../../lib/access/resource-metadata.ts';
import { configSchema } from '../../lib/config/schema.ts';

const KEYS = 'https://issuer.example/jwks';
const ISSUER = 'https://issuer.example';
const BASE = 'http://127.0.0.1:8000';
const ADDRESS = `${BASE}/mcp`;

const authOf = (fields?: object) => configSchema.parse(fields ? { auth: fields } : {}).auth;

/** Sections that name no issuer whose tokens are accepted. */
const WITHOUT_ISSUER = [undefined, { jwt_secret: 's' }, { jwks_url: KEYS }, { jwt_secret: 's', issuer: ISSUER }];

describe('resourceMetadata', () => {
  const metadata = (fields?: object) => resourceMetadata(ADDRESS, authOf(fields));

  it('points to the issuer whose tokens are accepted', () => {
    expect(metadata({ jwks_url: KEYS, issuer: ISSUER })).toEqual({
      resource: ADDRESS,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
  });

  it('names the audience that tokens must be for, where it is an address', () => {
    const resourceFor = (audience: string) => metadata({ jwks_url: KEYS, issuer: ISSUER, audience })?.['resource'];
    for (const audience of ['https://gateway.example/mcp', 'http://localhost:8000/mcp']) {
      expect(resourceFor(audience)).toBe(audience);
    }
    for (const audience of ['', 'api://gateway', 'gateway', 'see https://gateway.example']) {
      expect(resourceFor(audience), audience).toBe(ADDRESS);
    }
  });

  it('is not there without such an issuer', () => {
    for (const fields of WITHOUT_ISSUER) expect(metadata(fields)).toBeUndefined();
  });
});

describe('challenge', () => {
  it('names the address of the metadata, at the well-known path of RFC 9728', () => {
    expect(METADATA_PATH).toBe('/.well-known/oauth-protected-resource');
    expect(challenge(BASE, authOf({ jwks_url: KEYS, issuer: ISSUER }))).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource"`,
    );
  });

  it('names nothing but the scheme where no issuer gives tokens for this server', () => {
    for (const fields of WITHOUT_ISSUER) expect(challenge(BASE, authOf(fields))).toBe('Bearer');
  });
});
