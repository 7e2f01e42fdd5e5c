import type { Config } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { type Log, silent } from '../log.ts';
import { type Bearer, readAuthorization, readUserJwt } from './bearer.ts';
import { ANONYMOUS, type Caller } from './caller.ts';
import { userOfClaims } from './claims.ts';
import { namesGroupOf, namesUser } from './rights.ts';
import { neededToken } from './sign-in.ts';
import { CLOCK_TOLERANCE_S, decodeToken, remoteKeySet, type TokenKeys, verifyToken } from './verify-token.ts';

type Auth = NonNullable<Config['auth']>;

/** HS256 asks for a key as long as its hash (RFC 7518, 3.2); Open-WebUI's own are often shorter, so this only warns. */
const SHORT_SECRET_BYTES = 32;

/** Who sent a request, or the message of the 401 it deserves; the message never holds any part of a token. */
export type Identity = { caller: Caller } | { rejected: string };

export interface IdentifyOptions {
  /** Absent: no policy; nothing is read and everybody is anonymous. */
  auth: Auth | undefined;
  /** Groups may be named in `auth.admins`. */
  groups?: Config['groups'];
  /** Resolves `${env:…}`-like references in the secrets, once. */
  resolve: (text: string) => Promise<string>;
  /** Milliseconds since the epoch. */
  now: () => number;
  log?: Log;
}

/**
 * Tells who sent a request from its headers. `X-OpenWebUI-User-Jwt` counts before `Authorization` where
 * `auth.user_jwt_secret` is set; the one header that gave the identity gives the token to forward. Throws
 * `upstream_unavailable` where public keys cannot be fetched, and whatever `resolve` throws.
 */
export function createIdentify(options: IdentifyOptions): (headers: Headers) => Promise<Identity> {
  const { auth, groups = {}, resolve, now, log = silent } = options;
  if (!auth) return async () => ({ caller: ANONYMOUS });
  const skip = auth.invalid_jwt === 'skip';
  if (skip) log('warn', 'auth.invalid_jwt is "skip": tokens are believed unverified, anybody can claim any identity');

  const keySet = auth.jwks_url ? remoteKeySet(auth.jwks_url) : undefined;
  if (keySet && !auth.audience) log('warn', 'auth.audience is not set: tokens made for any other service are accepted');
  if (keySet && !auth.issuer) log('warn', 'auth.issuer is not set: whoever its keys sign for is believed');
  const secret = secretReader(resolve, log);
  const keysFor: Record<'jwt_secret' | 'user_jwt_secret', () => Promise<TokenKeys>> = {
    jwt_secret: async () => ({
      secretName: 'jwt_secret',
      ...(auth.user_jwt_secret && { instead: neededToken(auth) }),
      secret: auth.jwt_secret ? await secret('jwt_secret', auth.jwt_secret) : undefined,
      keySet,
      issuer: auth.issuer,
      audience: auth.audience,
    }),
    user_jwt_secret: async () => ({
      secretName: 'user_jwt_secret',
      secret: await secret('user_jwt_secret', auth.user_jwt_secret),
    }),
  };

  /** The caller a token stands for, or why it is refused; undefined for one that `skip` passes over. */
  async function callerOf(token: string, source: keyof typeof keysFor): Promise<Identity | undefined> {
    const verdict = skip ? decodeToken(token, now()) : await verifyToken(token, await keysFor[source](), now());
    if (!verdict) return undefined;
    if ('refused' in verdict) return { rejected: verdict.refused };
    const user = userOfClaims(verdict.claims);
    if (!user) return { rejected: 'The token names no user: it needs an "id" or a "sub" claim.' };
    const { userId } = user;
    const { exp } = verdict.claims;
    const ends = Number.isFinite(exp) ? { tokenEndsAt: (exp! + CLOCK_TOLERANCE_S) * 1000 } : {};
    const admin = auth!.admins.some((id) => namesUser(id, userId, groups) || namesGroupOf(id, userId, groups));
    return { caller: { ...user, token, ...ends, admin } };
  }

  return async (headers) => {
    const userJwt: Bearer = auth.user_jwt_secret ? readUserJwt(headers) : undefined;
    const bearer = userJwt ?? readAuthorization(headers);
    if (bearer && 'malformed' in bearer) return { rejected: bearer.malformed };
    if (bearer) {
      const identity = await callerOf(bearer.token, userJwt ? 'user_jwt_secret' : 'jwt_secret');
      if (identity && ('caller' in identity || !skip)) return identity;
    }
    return auth.require
      ? { rejected: `This server requires a signed-in user: send a ${neededToken(auth)}.` }
      : { caller: ANONYMOUS };
  };
}

/** Resolves each secret once (again after a failure), and warns once of a short one. */
function secretReader(
  resolve: (text: string) => Promise<string>,
  log: Log,
): (name: string, text: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  async function read(name: string, text: string): Promise<string> {
    const secret = await resolve(text);
    if (secret === '')
      throw new CodeModeError(
        'internal',
        `auth.${name} resolves to an empty text: give it the secret tokens are signed with`,
      );
    if (Buffer.byteLength(secret) < SHORT_SECRET_BYTES) {
      log('warn', `auth.${name} is shorter than ${SHORT_SECRET_BYTES} bytes: whoever guesses it can be any user`);
    }
    return secret;
  }
  return (name, text) => {
    const earlier = known.get(name);
    if (earlier !== undefined) return earlier;
    const reading = read(name, text);
    known.set(name, reading);
    reading.catch(() => known.delete(name));
    return reading;
  };
}
