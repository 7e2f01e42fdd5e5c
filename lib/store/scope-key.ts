import { createHash } from 'node:crypto';

/** A scope that may stand in a path and a key as it is, also where capitals are not told apart. */
const PLAIN_SCOPE = /^[a-z0-9_-][a-z0-9_@.-]{0,63}$/;

/** A scope as one part of a path or key; ids that are no safe names are hashed behind a "~", which no plain name has. */
export function scopeKey(scope: string): string {
  return PLAIN_SCOPE.test(scope) ? scope : `~${createHash('sha256').update(scope).digest('hex')}`;
}
