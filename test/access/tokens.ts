import { createHmac, generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto';
import type { Json, JsonObject } from '../../lib/json.ts';

/** The moment at which all tests of this folder take place: milliseconds, and the seconds tokens count in. */
export const NOW = Date.UTC(2026, 10, 30, 12);
export const SECONDS = NOW / 1000;

export const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

export const base64url = (value: string | Buffer): string => Buffer.from(value).toString('base64url');
export const part = (value: Json): string => base64url(JSON.stringify(value));

/** A token made without jose. `claims` may be raw JSON text, for claims no object can hold. */
export function hmacToken(
  claims: JsonObject | string,
  secret = SECRET,
  header: JsonObject = {},
  hash = 'sha256',
): string {
  const payload = typeof claims === 'string' ? base64url(claims) : part(claims);
  const input = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${payload}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** Claims as Open-WebUI's session token carries them. */
export function sessionClaims(id: string, more: JsonObject = {}): JsonObject {
  return { id, exp: SECONDS + 3600, iat: SECONDS - 60, jti: 'b8a7', ...more };
}

/** From when on a token counts no more, milliseconds: its `exp` and the tolerance of clocks. */
export function endOf(token: string): number {
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number };
  return (exp + 30) * 1000;
}

export const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

export function rsaToken(claims: JsonObject, key: KeyObject = rsaKeys.privateKey, header: JsonObject = {}): string {
  const input = `${part({ alg: 'RS256', typ: 'JWT', kid: 'one', ...header })}.${part(claims)}`;
  return `${input}.${signWith('sha256', Buffer.from(input), key).toString('base64url')}`;
}
