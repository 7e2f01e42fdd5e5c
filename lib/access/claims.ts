import type { JWTPayload } from 'jose';
import type { Caller } from './caller.ts';

/** Characters of a user's id: it becomes part of keys, file names and header values. */
const MAX_USER_ID_LENGTH = 256;

/** The user of a token. */
type User = Pick<Caller, 'email' | 'name' | 'role'> & { userId: string };

/** What a token says of its user: `id`, else `sub`; undefined where neither is a usable id. */
export function userOfClaims(claims: JWTPayload): User | undefined {
  const userId = claims['id'] === undefined ? claims.sub : claims['id'];
  if (!isUserId(userId)) return undefined;
  return {
    userId,
    ...text('email', claims['email']),
    ...text('name', claims['name']),
    ...text('role', claims['role']),
  };
}

function isUserId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= MAX_USER_ID_LENGTH &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}

function text<K extends string>(key: K, value: unknown): { [key in K]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [key]: value } as { [key in K]: string }) : {};
}
