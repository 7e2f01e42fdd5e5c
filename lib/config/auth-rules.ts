import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { findReferences } from './references.ts';
import type { Findings } from './rules.ts';

/** HS256 wants a key at least as long as its hash (RFC 7518, 3.2); shorter ones are accepted, as Open-WebUI's often are. */
const MIN_SECRET_BYTES = 32;

/** An id written `group:NAME` names a group and nothing else, so that a mistyped group cannot pass for a user. */
export const GROUP_PREFIX = 'group:';

/** Hosts to which a request cannot be changed on its way. */
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/** A secret's text as far as it is known at start: literal, or one environment variable. */
function knownSecret(value: string, env: Record<string, string | undefined>): string | undefined {
  const { references } = findReferences(value);
  if (references.length === 0) return value;
  const [only] = references;
  return only?.kind === 'env' && only.text === value ? env[only.id] : undefined;
}

function checkVerification(auth: Raw, env: Record<string, string | undefined>, found: Findings): void {
  const secrets = ['jwt_secret', 'user_jwt_secret'] as const;
  const mode = auth['invalid_jwt'] ?? 'reject';
  if (mode === 'reject' && !secrets.some((key) => auth[key]) && !auth['jwks_url']) {
    found.problem(
      ['auth'],
      'there is nothing to verify a token with: set auth.jwt_secret, auth.user_jwt_secret or auth.jwks_url (invalid_jwt is reject)',
    );
  }
  if (mode === 'skip') {
    found.warning(['auth', 'invalid_jwt'], 'skip believes every token unverified: anyone can be any user; use reject');
  }
  for (const key of secrets) {
    const text = textOf(auth[key]) ?? '';
    const secret = knownSecret(text, env);
    if (text && secret === '') {
      found.problem(['auth', key], `is empty (${text} is set to nothing): give it the secret tokens are signed with`);
    }
    if (secret && Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
      found.warning(['auth', key], `is shorter than ${MIN_SECRET_BYTES} bytes: it can be guessed from one token`);
    }
  }
  const jwks = textOf(auth['jwks_url']);
  if (jwks && !jwks.includes('${') && !/^https?:$/.test(URL.parse(jwks)?.protocol ?? '')) {
    found.problem(['auth', 'jwks_url'], 'must be a URL that begins with https:// (or http:// on loopback)');
  } else if (jwks && URL.parse(jwks)?.protocol === 'http:' && !LOOPBACK.test(URL.parse(jwks)!.hostname)) {
    found.warning(['auth', 'jwks_url'], 'is plain http: whoever can change what it answers can be any user; use https');
  }
  const mint = textOf(rawOf(auth['mint'])['key']);
  if (mint && secrets.some((key) => auth[key] === mint)) {
    found.warning(
      ['auth', 'mint', 'key'],
      'is the secret of users’ tokens: an upstream that checks minted ones can be any user here; give it a key of its own',
    );
  }
}

/** Groups are looked up by name; this one is no key that an object can be given. */
function checkGroupNames(groups: Raw, found: Findings): void {
  if (Object.hasOwn(groups, '__proto__'))
    found.problem(['groups'], '"__proto__" cannot be the name of a group: rename it');
}

/** `group:NAME` wherever an id may stand must name a group of `groups`. */
function checkGroup(id: unknown, path: (string | number)[], groups: Raw, found: Findings): void {
  const text = textOf(id);
  if (!text?.startsWith(GROUP_PREFIX)) return;
  const name = text.slice(GROUP_PREFIX.length);
  if (Object.hasOwn(groups, name)) return;
  const known = Object.keys(groups);
  found.problem(
    path,
    `there is no group "${name}"; ${known.length ? `known: ${known.join(', ')}` : 'add it under groups:'}`,
  );
}

/** What the schema cannot say about `auth`, `groups` and every `users`. */
export function checkAuth(
  root: Raw,
  env: Record<string, string | undefined>,
  target: 'local' | 'aws',
  found: Findings,
): void {
  const auth = root['auth'] === undefined ? undefined : rawOf(root['auth']);
  const groups = rawOf(root['groups']);
  if (auth) checkVerification(auth, env, found);
  if (rawOf(root['store'])['scope'] === 'user' && !auth) {
    found.problem(['store', 'scope'], 'user needs an auth section: without one nobody is told apart');
  }
  if (auth?.['require'] === true && target === 'local' && isStdio(root)) {
    found.warning(
      ['auth', 'require'],
      'does not hold over stdio, where nobody has a token: whoever starts this process is anonymous and let in; use server.transport http',
    );
  }
  checkGroupNames(groups, found);
  for (const [index, id] of (Array.isArray(auth?.['admins']) ? auth['admins'] : []).entries()) {
    checkGroup(id, ['auth', 'admins', index], groups, found);
  }
  const checkUsers = (users: unknown, path: (string | number)[]) => {
    const entries = listOf(users);
    if (entries.length > 0 && !auth) {
      found.problem(path, 'users need an auth section to be told apart: add auth: { jwt_secret: … }');
    }
    for (const [index, user] of entries.entries()) checkGroup(user['id'], [...path, index, 'id'], groups, found);
  };
  for (const [index, server] of listOf(root['upstream']).entries()) {
    const path = ['upstream', index];
    checkUsers(server['users'], [...path, 'users']);
    for (const [at, tool] of listOf(server['tool_expose']).entries()) {
      checkUsers(tool['users'], [...path, 'tool_expose', at, 'users']);
    }
    const forward = server['forward_auth'];
    if (forward === 'minted' && !auth?.['mint']) {
      found.problem(
        [...path, 'forward_auth'],
        'minted needs a key to sign with: set auth.mint.issuer and auth.mint.key',
      );
    } else if (forward !== undefined && forward !== 'none' && !auth) {
      found.problem(
        [...path, 'forward_auth'],
        `${forward} needs an auth section: without one nothing is read or forwarded`,
      );
    }
    if (server['catalogue'] === 'per_user' && !auth) {
      found.problem([...path, 'catalogue'], 'per_user needs an auth section: without one nobody is told apart');
    }
  }
  if (auth && target === 'local' && !isStdio(root)) checkScope(rawOf(root['store']), found);
}

function isStdio(root: Raw): boolean {
  return (rawOf(root['server'])['transport'] ?? 'stdio') === 'stdio';
}

/** Where users are told apart, whether they share what they keep is to be said, not left to the default. */
function checkScope(store: Raw, found: Findings): void {
  if ((store['dir'] || store['bucket']) && store['scope'] === undefined) {
    found.warning(
      ['store', 'scope'],
      'is not written: it is shared, so any user can replace a kept script that others run by name; write user for records of their own, or shared if it is meant',
    );
  }
}
