import { findReferences, type Resolve } from '../config/references.ts';
import type { RpcError } from './upstream-error.ts';

/** Shorter values are not masked: they would hide ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Headers and variables that hold a secret even where it is written out. */
const SECRET_NAME = /auth|key|token|secret|passw|credential|cookie/i;

/** A JSON Web Token in a text: base64url of two JSON objects, each of which begins with `{`. Begins no word in its middle. */
const JWT = /(?<![\w-])ey[\w-]{8,}\.ey[\w-]{4,}\.[\w-]*/g;

const MASK = '***';

/**
 * The secrets among configured texts, by their names: what references give, and, where a name says that it is one, the whole
 * value without its scheme (`Bearer`). Longest first, so that none is masked in part. Throws what `resolve` does.
 */
export async function secretsOf(
  texts: readonly (readonly [name: string, text: string])[],
  resolve: Resolve,
): Promise<string[]> {
  const found = texts.map(async ([name, text]) => {
    const referred = findReferences(text).references.map((reference) => resolve(reference.text));
    const whole = SECRET_NAME.test(name) ? [(await resolve(text)).trim().replace(/^\S+\s+/, '')] : [];
    return [...(await Promise.all(referred)), ...whole];
  });
  return (await Promise.all(found))
    .flat()
    .map((value) => value.trim())
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
