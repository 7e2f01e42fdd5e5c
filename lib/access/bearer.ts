/** A bearer token as a request carried it, or why the request is refused; neither for a caller without one. */
export type Bearer = { token: string } | { malformed: string } | undefined;

/** Open-WebUI's API keys begin with this; they are keys to it, not identities for us. */
const API_KEY_PREFIX = 'sk-';

/** A JWT never holds one; two headers of one name arrive joined by it. */
const JOINED = ',';

/** Reads `Authorization`. Anonymous: no header, another scheme, an empty bearer (an empty key), an `sk-…` API key. */
export function readAuthorization(headers: Headers): Bearer {
  const header = headers.get('authorization');
  if (header === null) return undefined;
  if (header.includes(JOINED)) return { malformed: 'There is more than one Authorization header: send one.' };
  const token = /^bearer\s+(.*)/i.exec(header)?.[1];
  return !token || token.startsWith(API_KEY_PREFIX) ? undefined : { token };
}

/** Reads `X-OpenWebUI-User-Jwt`, which holds the bare token. */
export function readUserJwt(headers: Headers): Bearer {
  const header = headers.get('x-openwebui-user-jwt');
  if (!header) return undefined;
  if (header.includes(JOINED)) return { malformed: 'There is more than one X-OpenWebUI-User-Jwt header: send one.' };
  return { token: header };
}
