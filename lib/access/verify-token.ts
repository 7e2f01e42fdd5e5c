import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { CodeModeError } from '../errors.ts';

/** Seconds by which the clocks of the issuer and of this machine may differ. */
export const CLOCK_TOLERANCE_S = 30;

/** Bytes of a token: above it nothing is decoded. Whole requests' headers are capped near it by Node and by AWS. */
export const MAX_TOKEN_BYTES = 8192;

/** Pinned: a token's own header never chooses beyond the list of the key it is checked with. */
const SECRET_ALGORITHMS = ['HS256'];
const KEY_SET_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Strict base64url without padding, three parts; jose itself forgives white space. An empty signature is for `alg: none`. */
const JWT_SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

const NO_END = 'The token has no usable "exp" claim: only tokens that expire are accepted.';
const NOT_A_JWT = 'The token is not a valid JWT.';

/** jose's errors for a token that is broken by itself; the rest are a fault on this side. */
const BROKEN = [errors.JWSInvalid, errors.JWTInvalid, errors.JOSENotSupported];

/** The claims of a token that may be believed, or why it may not, in words for its sender. */
type Verdict = { claims: JWTPayload } | { refused: string };

/** What tokens of one header are checked with; absent parts accept nothing. */
export interface TokenKeys {
  /** `auth.jwt_secret` or `auth.user_jwt_secret`, resolved. */
  secret: string | undefined;
  /** Configuration key of the secret, for the message. */
  secretName: string;
  /** What to send where these keys accept nothing and those of another header do. */
  instead?: string;
  keySet?: JWTVerifyGetKey | undefined;
  issuer?: string | undefined;
  audience?: string | undefined;
}

/** The public keys at `auth.jwks_url`, fetched when first needed and cached. */
export function remoteKeySet(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url));
}

/** Verifies signature and times: HS256 with the secret, asymmetric algorithms with the key set, and no other way. */
export async function verifyToken(token: string, keys: TokenKeys, now: number): Promise<Verdict> {
  const shape = shapeOf(token);
  if (shape) return { refused: shape };
  const alg = algorithmOf(token);
  if (alg === undefined) return { refused: NOT_A_JWT };
  try {
    const claims = await claimsOf(token, alg, keys, now);
    if (!claims) return { refused: `The token's algorithm is not accepted here: ${expected(keys)}.` };
    return Number.isFinite(claims.exp) ? { claims } : { refused: NO_END };
  } catch (error) {
    return { refused: reason(error, keys, alg) };
  }
}

/** The verified claims; undefined where no key here is for this algorithm. Throws jose's errors. */
async function claimsOf(token: string, alg: string, keys: TokenKeys, now: number): Promise<JWTPayload | undefined> {
  const { secret, keySet, issuer, audience } = keys;
  const times = { currentDate: new Date(now), clockTolerance: CLOCK_TOLERANCE_S };
  if (secret && alg === 'HS256') {
    const options = { ...times, algorithms: SECRET_ALGORITHMS };
    return (await jwtVerify(token, new TextEncoder().encode(secret), options)).payload;
  }
  if (keySet && KEY_SET_ALGORITHMS.includes(alg)) {
    const options = {
      ...times,
      algorithms: KEY_SET_ALGORITHMS,
      ...(issuer && { issuer }),
      ...(audience && { audience }),
    };
    return (await jwtVerify(token, keySet, options)).payload;
  }
  return undefined;
}

/** Reads a token without checking who made it (`invalid_jwt: skip`); undefined where it is none, or outside its times. */
export function decodeToken(token: string, now: number): { claims: JWTPayload } | undefined {
  if (shapeOf(token)) return undefined;
  try {
    const claims = decodeJwt(token);
    const seconds = Math.floor(now / 1000);
    const { exp, nbf } = claims;
    const ended = exp !== undefined && !(exp > seconds - CLOCK_TOLERANCE_S);
    const early = nbf !== undefined && !(nbf <= seconds + CLOCK_TOLERANCE_S);
    return ended || early ? undefined : { claims };
  } catch {
    return undefined;
  }
}

function shapeOf(token: string): string | undefined {
  if (token.length > MAX_TOKEN_BYTES) return `The token is longer than ${MAX_TOKEN_BYTES} bytes.`;
  if (!JWT_SHAPE.test(token)) return 'The bearer is not a JWT. Send a user session token, or no bearer at all.';
  return undefined;
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

function expected(keys: TokenKeys): string {
  const accepted = [
    ...(keys.secret ? ['HS256'] : []),
    ...(keys.keySet ? ['one of the algorithms of its public keys'] : []),
  ];
  if (accepted.length > 0) return `sign it with ${accepted.join(' or ')}`;
  const setKey = `set auth.${keys.secretName}`;
  return keys.instead
    ? `no key is configured for it; send a ${keys.instead}, or ${setKey}`
    : `no key is configured, ${setKey}`;
}

/** Says what to do about a failed check; throws where the fault is not the token's. Never repeats the token. */
function reason(error: unknown, keys: TokenKeys, alg: string): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired: sign in again and repeat the request.';
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error);
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    if (!SECRET_ALGORITHMS.includes(alg)) return 'The token is not signed with the key at auth.jwks_url that it names.';
    return `The token's signature does not match: auth.${keys.secretName} must be the secret of the system that issued it.`;
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
    return 'The token is signed with a key that is not among those at auth.jwks_url.';
  }
  if (BROKEN.some((kind) => error instanceof kind)) return NOT_A_JWT;
  throw new CodeModeError(
    'upstream_unavailable',
    'The token cannot be checked now: the keys at auth.jwks_url cannot be fetched. Try again later.',
    { cause: error },
  );
}

function claimReason(error: errors.JWTClaimValidationFailed): string {
  switch (error.claim) {
    case 'exp':
      return NO_END;
    case 'nbf':
      return 'The token is not valid yet (its "nbf" claim): check the clocks of both machines.';
    case 'iss':
      return 'The token is from another issuer than auth.issuer.';
    case 'aud':
      return 'The token is for another audience than auth.audience.';
    default:
      return 'The token has a claim that is not valid.';
  }
}
