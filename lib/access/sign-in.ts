import type { Config } from '../config/schema.ts';

/** The token a 401 asks for and the header it belongs in, to follow "send a"; by what `auth` can check. */
export function neededToken(auth: Config['auth']): string {
  const bearer = 'session token in "Authorization: Bearer <token>"';
  const forwarded = 'forwarded user token in the header X-OpenWebUI-User-Jwt';
  if (!auth?.user_jwt_secret) return bearer;
  return readsBearer(auth) ? `${bearer}, or a ${forwarded}` : forwarded;
}

function readsBearer(auth: NonNullable<Config['auth']>): boolean {
  return auth.jwt_secret !== '' || auth.jwks_url !== undefined || auth.invalid_jwt === 'skip';
}
