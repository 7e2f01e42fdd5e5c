import { randomUUID } from 'node:crypto';
import type { Resolve } from '../config/references.ts';
import type { Config } from '../config/schema.ts';
import type { Mint } from './identity.ts';

/** Seconds a minted token lives; at most five minutes by CONTRACT. */
const MINTED_TOKEN_S = 120;

export interface MintOptions {
  mint: NonNullable<NonNullable<Config['auth']>['mint']>;
  /** Resolves `${env:…}`-like references in the key. */
  resolve: Resolve;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes the signer of `forward_auth: minted`: claims `iss`, `aud` (the upstream's URL), `sub`, `jti`, `iat`, `exp`. The key
 * is a secret for HS256, else a private key in PKCS #8 PEM. Throws what `resolve` and a malformed key throw.
 */
export function createMint({ mint: { issuer, alg, key }, resolve, now }: MintOptions): Mint {
  async function signer() {
    const { SignJWT, importPKCS8 } = await import('jose');
    const text = await resolve(key);
    return { SignJWT, signingKey: alg === 'HS256' ? new TextEncoder().encode(text) : await importPKCS8(text, alg) };
  }
  let made: ReturnType<typeof signer> | undefined;
  return async (audience, { userId }) => {
    made ??= signer();
    const { SignJWT, signingKey } = await made.catch((error) => {
      made = undefined;
      throw error;
    });
    const seconds = Math.floor(now() / 1000);
    return new SignJWT({})
      .setProtectedHeader({ alg, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + MINTED_TOKEN_S)
      .sign(signingKey);
  };
}
