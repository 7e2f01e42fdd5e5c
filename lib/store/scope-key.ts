import { createHash } from 'node:crypto';

/** A scope that is a safe name in paths and keys, also where capitals are not told apart; `user:` and an id as well. */
const PLAIN_SCOPE = /^(?:user:)?[a-z0-9_-][a-z0-9_@.-]{0,63}$/;

/** The scope of a key that tells it; undefined for a hashed one, and for what is no key. */
export function scopeOfKey(key: string): string | undefined {
  const scope = key.replace('~', ':');
  return PLAIN_SCOPE.test(scope) && scopeKey(scope) === key ? scope : undefined;
}

/** A scope as one part of a path or key; what is no safe name is hashed behind a "~", with which no safe name begins. */
export function scopeKey(scope: string): string {
  return PLAIN_SCOPE.test(scope) ? scope.replace(':', '~') : `~${createHash('sha256').update(scope).digest('hex')}`;
}
