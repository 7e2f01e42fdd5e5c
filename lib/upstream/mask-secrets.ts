import { findReferences } from '../config/references.ts';
import type { RpcError } from './upstream-error.ts';

/** Shorter values are not masked: they would hide ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Headers and variables that hold a secret even where it is written out. */
const SECRET_NAME = /auth|key|token|secret|passw|credential|cookie/i;

/** A JSON Web Token in a text: base64url of two JSON objects, each of which begins with `{`. */
const JWT = /\bey[\w-]{8,}\.ey[\w-]{4,}\.[\w-]*/g;

const MASK = '***';

/**
 * The secrets among configured headers or variables: what a reference gave, and what a name says is one. A header's scheme
 * (`Bearer`) is told apart from what follows it. Longest first, so that none is masked in part.
 */
export function secretsOf(configured: Record<string, string>, resolved: Record<string, string>): string[] {
  const secret = ([name]: [string, string]) =>
    SECRET_NAME.test(name) || findReferences(configured[name] ?? '').references.length > 0;
  return Object.entries(resolved)
    .filter(secret)
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length);
}

/** An upstream's error without the secrets that it repeats: ours for it, and its callers' tokens. */
export function maskedError({ code, message, ...rest }: RpcError, secrets: readonly string[]): RpcError {
  const mask = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text).replaceAll(JWT, MASK);
  const masked = { code, message: mask(message) };
  if (rest.data === undefined) return masked;
  const data = JSON.parse(JSON.stringify(rest.data), (_, value) => (typeof value === 'string' ? mask(value) : value));
  return { ...masked, data };
}
