import { describe, expect, it } from 'vitest';
import type { Caller } from '../../lib/access/caller.ts';
import { createIdentify, type Identity } from '../../lib/access/identify.ts';
import { neededToken } from '../../lib/access/sign-in.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { identifier } from './identifier.ts';
import { endOf, hmacToken, NOW, part, SECONDS, SECRET, sessionClaims } from './tokens.ts';

/** Written out: what the product itself calls anonymous is no proof of it. */
const anonymous: Identity = { caller: { admin: false } };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('createIdentify without an auth section', () => {
  it('takes everybody for one anonymous caller, whom nothing can change', async () => {
    const identify = createIdentify({ auth: undefined, resolve: async (text) => text, now: () => NOW });
    const { caller } = (await identify(new Headers())) as { caller: Caller };
    expect(() => Object.assign(caller, { admin: true })).toThrow(TypeError);
    expect(await identify(new Headers())).toEqual(anonymous);
  });

  it('reads nothing and keeps no token', async () => {
    const identify = createIdentify({
      auth: undefined,
      resolve: () => Promise.reject(new Error('resolved')),
      now: () => NOW,
    });
    const token = hmacToken(sessionClaims('ann'));
    expect(await identify(new Headers({ ...bearer(token), 'x-openwebui-user-jwt': token }))).toEqual(anonymous);
    expect(await identify(new Headers([['authorization', 'Bearer a, Bearer b']]))).toEqual(anonymous);
  });
});

describe('createIdentify, invalid_jwt: reject', () => {
  const identify = identifier({ jwt_secret: SECRET });

  it('takes the user from "id"', async () => {
    const token = hmacToken(sessionClaims('ann'));
    expect(await identify(bearer(token))).toEqual({
      caller: { userId: 'ann', token, tokenEndsAt: endOf(token), admin: false },
    });
  });

  it('takes the user from "sub" where there is no "id", and "id" before "sub"', async () => {
    const old = hmacToken({
      sub: 'ann',
      exp: SECONDS + 1,
      email: 'a@example.org',
      name: 'Ann',
      role: 'user',
      iss: 'open-webui',
    });
    expect(await identify(bearer(old))).toEqual({
      caller: {
        userId: 'ann',
        email: 'a@example.org',
        name: 'Ann',
        role: 'user',
        token: old,
        tokenEndsAt: endOf(old),
        admin: false,
      },
    });
    expect(await identify(bearer(hmacToken(sessionClaims('ann', { sub: 'bob' }))))).toMatchObject({
      caller: { userId: 'ann' },
    });
  });

  it('tells from when on the token counts no more: its end and half a minute, where it has an end', async () => {
    const token = hmacToken(sessionClaims('ann', { exp: SECONDS + 60 }));
    const ends = NOW + 90_000;
    expect(await identify(bearer(token))).toMatchObject({ caller: { tokenEndsAt: ends } });
    const skip = identifier({ jwt_secret: SECRET, invalid_jwt: 'skip' });
    expect(await skip(bearer(token))).toMatchObject({ caller: { tokenEndsAt: ends } });
    for (const exp of [undefined, '9999999999']) {
      const { caller } = (await skip(bearer(hmacToken({ id: 'ann', ...(exp && { exp }) })))) as { caller: Caller };
      expect(caller.userId).toBe('ann');
      expect(caller).not.toHaveProperty('tokenEndsAt');
    }
  });

  it('leaves out an e-mail, name or role that is no text', async () => {
    const token = hmacToken(sessionClaims('ann', { email: 5, name: '', role: ['admin'] }));
    expect(await identify(bearer(token))).toEqual({
      caller: { userId: 'ann', token, tokenEndsAt: endOf(token), admin: false },
    });
  });

  it('takes callers without a user token as anonymous: no header, empty bearer, API key, another scheme', async () => {
    const token = hmacToken(sessionClaims('ann'));
    const headers = [
      'Bearer',
      'Bearer ',
      'bearer',
      'Bearer sk-0123456789abcdef',
      'Basic YTpi',
      `Token ${token}`,
      `Bearer${token}`,
      token,
      '',
    ];
    expect(await identify({})).toEqual(anonymous);
    for (const authorization of headers) expect(await identify({ authorization }), authorization).toEqual(anonymous);
  });

  it('reads the scheme in any case and with any blanks', async () => {
    const token = hmacToken(sessionClaims('ann'));
    for (const authorization of [`bearer ${token}`, `BEARER   ${token}`, `Bearer\t${token}`, ` Bearer ${token} `]) {
      expect(await identify({ authorization }), authorization).toMatchObject({ caller: { userId: 'ann', token } });
    }
  });

  it('does not read X-OpenWebUI-User-Jwt without its own secret', async () => {
    expect(await identify({ 'x-openwebui-user-jwt': hmacToken(sessionClaims('ann')) })).toEqual(anonymous);
    expect(await identify({ 'x-openwebui-user-jwt': 'a, b' })).toEqual(anonymous);
  });

  it('allows the stated tolerance between clocks and not a second more', async () => {
    const at = (claims: object) => identify(bearer(hmacToken({ ...sessionClaims('ann'), ...claims })));
    expect(await at({ exp: SECONDS - 29 })).toMatchObject({ caller: { userId: 'ann' } });
    expect(await at({ exp: SECONDS - 30 })).toHaveProperty('rejected');
    expect(await at({ nbf: SECONDS + 30 })).toMatchObject({ caller: { userId: 'ann' } });
    expect(await at({ nbf: SECONDS + 31 })).toHaveProperty('rejected');
  });

  it('says what to do, for every fault', async () => {
    const cases: Record<string, string> = {
      'The token has expired: sign in again and repeat the request.': hmacToken(
        sessionClaims('ann', { exp: SECONDS - 60 }),
      ),
      'The token has no usable "exp" claim: only tokens that expire are accepted.': hmacToken({ id: 'ann' }),
      'The token is not valid yet (its "nbf" claim): check the clocks of both machines.': hmacToken(
        sessionClaims('ann', { nbf: SECONDS + 600 }),
      ),
      "The token's signature does not match: auth.jwt_secret must be the secret of the system that issued it.":
        hmacToken(sessionClaims('ann'), 'another secret'),
      "The token's algorithm is not accepted here: sign it with HS256.": hmacToken(sessionClaims('ann'), SECRET, {
        alg: 'HS512',
      }),
      'The bearer is not a JWT. Send a user session token, or no bearer at all.': 'opaque-key',
      'The token is not a valid JWT.': 'a.b.c',
      'The token names no user: it needs an "id" or a "sub" claim.': hmacToken({ exp: SECONDS + 1 }),
      'The token is longer than 8192 bytes.': `${'a'.repeat(8193)}`,
      'The token has a claim that is not valid.': hmacToken(sessionClaims('ann', { iat: 'yesterday' })),
    };
    for (const [rejected, token] of Object.entries(cases)) expect(await identify(bearer(token))).toEqual({ rejected });
  });

  it('says of an end that is no time what it says of none', async () => {
    const rejected = 'The token has no usable "exp" claim: only tokens that expire are accepted.';
    expect(await identify(bearer(hmacToken(sessionClaims('ann', { exp: 'tomorrow' }))))).toEqual({ rejected });
  });

  it('accepts a token of exactly the largest size', async () => {
    const length = (pad: number) => hmacToken(sessionClaims('ann', { pad: 'x'.repeat(pad) })).length;
    let pad = 6000 + Math.floor((8192 - length(6000)) * 0.75) - 3;
    while (length(pad + 1) <= 8192) pad += 1;
    expect(length(pad)).toBe(8192);
    expect(await identify(bearer(hmacToken(sessionClaims('ann', { pad: 'x'.repeat(pad) }))))).toHaveProperty('caller');
  });

  it('accepts secrets of any length and warns of short ones, once', async () => {
    for (const [secret, warns] of [
      ['k', true],
      ['x'.repeat(31), true],
      ['x'.repeat(32), false],
      ['ё'.repeat(16), false],
    ] as const) {
      const lines: string[] = [];
      const check = identifier({ jwt_secret: secret }, { log: (level, msg) => void lines.push(`${level} ${msg}`) });
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await check(bearer(hmacToken(sessionClaims('ann'), secret)))).toMatchObject({
          caller: { userId: 'ann' },
        });
      }
      const warning = 'warn auth.jwt_secret is shorter than 32 bytes: whoever guesses it can be any user';
      expect(lines, secret).toEqual(warns ? [warning] : []);
    }
  });

  it('knows administrators by their own id or by a group', async () => {
    const check = identifier({ jwt_secret: SECRET, admins: ['ann', 'ops'] }, { groups: { ops: ['bob'] } });
    const adminOf = async (id: string) =>
      ((await check(bearer(hmacToken(sessionClaims(id))))) as { caller: object }).caller;
    expect(await adminOf('ann')).toMatchObject({ admin: true });
    expect(await adminOf('bob')).toMatchObject({ admin: true });
    expect(await adminOf('ops')).toMatchObject({ admin: false });
    expect(await adminOf('eve')).toMatchObject({ admin: false });
  });

  it('refuses anonymous callers where auth.require is set', async () => {
    const check = identifier({ jwt_secret: SECRET, require: true });
    const rejected = 'This server requires a signed-in user: send a session token in "Authorization: Bearer <token>".';
    for (const headers of [{}, bearer(''), bearer('sk-1'), { authorization: 'Basic YTpi' }]) {
      expect(await check(headers)).toEqual({ rejected });
    }
    expect(await check(bearer(hmacToken(sessionClaims('ann'))))).toHaveProperty('caller');
  });

  it('asks for the token in the header that it can be checked in', async () => {
    const forwarded = 'forwarded user token in the header X-OpenWebUI-User-Jwt';
    const bearerToken = 'session token in "Authorization: Bearer <token>"';
    const asks = 'This server requires a signed-in user: send a';
    expect(neededToken(undefined)).toBe(bearerToken);
    const user = { user_jwt_secret: SECRET, require: true };
    expect(await identifier(user)({})).toEqual({ rejected: `${asks} ${forwarded}.` });
    for (const more of [{ jwt_secret: SECRET }, { jwks_url: 'https://login.example/jwks' }, { invalid_jwt: 'skip' }]) {
      expect(await identifier({ ...user, ...more })({})).toEqual({
        rejected: `${asks} ${bearerToken}, or a ${forwarded}.`,
      });
    }
  });

  it('resolves a secret once, and again only after a failure', async () => {
    const asked: string[] = [];
    const identify = createIdentify({
      auth: configSchema.parse({ auth: { jwt_secret: 'ref:jwt' } }).auth,
      resolve: async (text) => {
        asked.push(text);
        if (asked.length === 1) throw new Error('not now');
        return SECRET;
      },
      now: () => NOW,
    });
    const headers = new Headers(bearer(hmacToken(sessionClaims('ann'))));
    await expect(identify(headers)).rejects.toThrow('not now');
    await Promise.all([identify(headers), identify(headers)]);
    expect(await identify(headers)).toMatchObject({ caller: { userId: 'ann' } });
    expect(asked).toEqual(['ref:jwt', 'ref:jwt']);
  });

  it('never checks with an empty secret', async () => {
    const identify = createIdentify({
      auth: configSchema.parse({ auth: { jwt_secret: 'ref:none' } }).auth,
      resolve: async () => '',
      now: () => NOW,
    });
    const headers = new Headers(bearer(hmacToken(sessionClaims('ann'), 'any')));
    await expect(identify(headers)).rejects.toMatchObject({
      code: 'internal',
      message: 'auth.jwt_secret resolves to an empty text: give it the secret tokens are signed with',
    });
  });

  it('refuses a token where no key for it is configured', async () => {
    const token = bearer(hmacToken(sessionClaims('ann')));
    expect(await identifier({ jwks_url: 'https://login.example/jwks' })(token)).toEqual({
      rejected: "The token's algorithm is not accepted here: sign it with one of the algorithms of its public keys.",
    });
    expect(await identifier({ require: true })(token)).toEqual({
      rejected: "The token's algorithm is not accepted here: no key is configured, set auth.jwt_secret.",
    });
    expect(await identifier({ user_jwt_secret: SECRET })(token)).toEqual({
      rejected:
        "The token's algorithm is not accepted here: no key is configured for it; send a forwarded user token in the header X-OpenWebUI-User-Jwt, or set auth.jwt_secret.",
    });
  });
});

describe('createIdentify with X-OpenWebUI-User-Jwt', () => {
  const other = 'the-secret-of-forwarded-user-information';
  const identify = identifier({ jwt_secret: SECRET, user_jwt_secret: other });
  const session = hmacToken(sessionClaims('ann'));
  const forwarded = hmacToken(
    { sub: 'bob', email: 'b@example.org', name: 'Bob', role: 'admin', iss: 'open-webui', exp: SECONDS + 300 },
    other,
  );

  it('prefers it, and forwards the token that gave the identity', async () => {
    const bob = {
      userId: 'bob',
      email: 'b@example.org',
      name: 'Bob',
      role: 'admin',
      token: forwarded,
      tokenEndsAt: endOf(forwarded),
      admin: false,
    };
    expect(await identify({ 'x-openwebui-user-jwt': forwarded })).toEqual({ caller: bob });
    expect(await identify({ ...bearer(session), 'x-openwebui-user-jwt': forwarded })).toEqual({ caller: bob });
    expect(await identify({ ...bearer('sk-1'), 'x-openwebui-user-jwt': forwarded })).toEqual({ caller: bob });
  });

  it('falls back on Authorization only where it is absent or empty', async () => {
    expect(await identify(bearer(session))).toMatchObject({ caller: { userId: 'ann', token: session } });
    expect(await identify({ ...bearer(session), 'x-openwebui-user-jwt': '' })).toMatchObject({
      caller: { userId: 'ann' },
    });
    for (const bad of ['sk-1', 'nonsense', hmacToken(sessionClaims('eve'), 'wrong')]) {
      expect(await identify({ ...bearer(session), 'x-openwebui-user-jwt': bad }), bad).toHaveProperty('rejected');
    }
  });

  it('never takes one header signed with the secret of the other', async () => {
    expect(await identify({ 'x-openwebui-user-jwt': session })).toEqual({
      rejected:
        "The token's signature does not match: auth.user_jwt_secret must be the secret of the system that issued it.",
    });
    expect(await identify(bearer(forwarded))).toEqual({
      rejected:
        "The token's signature does not match: auth.jwt_secret must be the secret of the system that issued it.",
    });
  });

  it('has a secret whose shortness is told by its own name', async () => {
    const lines: string[] = [];
    const check = identifier({ user_jwt_secret: 'k' }, { log: (level, msg) => void lines.push(`${level} ${msg}`) });
    const token = hmacToken(sessionClaims('ann'), 'k');
    expect(await check({ 'x-openwebui-user-jwt': token })).toMatchObject({ caller: { userId: 'ann' } });
    expect(lines).toEqual(['warn auth.user_jwt_secret is shorter than 32 bytes: whoever guesses it can be any user']);
  });

  it('refuses two of them', async () => {
    const rejected = 'There is more than one X-OpenWebUI-User-Jwt header: send one.';
    expect(
      await identify([
        ['x-openwebui-user-jwt', forwarded],
        ['X-OpenWebUI-User-Jwt', forwarded],
      ]),
    ).toEqual({ rejected });
  });
});

describe('createIdentify, invalid_jwt: skip', () => {
  const identify = identifier({ invalid_jwt: 'skip', allow_unverified: true });

  it('believes an unverified token and keeps it as it came', async () => {
    const token = hmacToken(sessionClaims('ann'), 'whatever');
    expect(await identify(bearer(token))).toEqual({
      caller: { userId: 'ann', token, tokenEndsAt: endOf(token), admin: false },
    });
    const unsigned = `${part({ alg: 'none' })}.${part({ id: 'ann' })}.`;
    expect(await identify(bearer(unsigned))).toEqual({ caller: { userId: 'ann', token: unsigned, admin: false } });
  });

  it('takes an expired, early, unreadable or nameless token as anonymous, and drops it', async () => {
    const faults = [
      hmacToken(sessionClaims('ann', { exp: SECONDS - 30 })),
      hmacToken(sessionClaims('ann', { nbf: SECONDS + 31 })),
      hmacToken(sessionClaims('ann', { exp: 'never' })),
      hmacToken({ exp: SECONDS + 1 }),
      hmacToken('[]'),
      hmacToken('not json'),
      'a.b.c',
      'opaque',
      'a'.repeat(9000),
    ];
    for (const token of faults) expect(await identify(bearer(token)), token).toEqual(anonymous);
  });

  it('reads no token that is none: an odd header, a length above the limit', async () => {
    const claims = part(sessionClaims('ann'));
    for (const token of [`!!.${claims}.x`, `a b.${claims}.x`, `=.${claims}.x`, `.${claims}.x`, `a.${claims}.x!`]) {
      expect(await identify(bearer(token)), token).toEqual(anonymous);
    }
    const long = hmacToken(sessionClaims('ann', { pad: 'x'.repeat(8192) }));
    expect(await identify(bearer(long))).toEqual(anonymous);
  });

  it('counts whole seconds, as the claims do', async () => {
    const later = createIdentify({
      auth: configSchema.parse({ auth: { invalid_jwt: 'skip' } }).auth,
      resolve: async (text) => text,
      now: () => NOW + 999,
    });
    const at = (claims: object) => later(new Headers(bearer(hmacToken({ ...sessionClaims('ann'), ...claims }))));
    expect(await at({ exp: SECONDS - 29 })).toMatchObject({ caller: { userId: 'ann' } });
    expect(await at({ nbf: SECONDS + 31 })).toEqual(anonymous);
  });

  it('keeps to the times within the tolerance', async () => {
    for (const claims of [{ exp: SECONDS - 29 }, { nbf: SECONDS + 30 }]) {
      expect(await identify(bearer(hmacToken(sessionClaims('ann', claims))))).toMatchObject({
        caller: { userId: 'ann' },
      });
    }
  });

  it('refuses two headers all the same, and anonymous callers where auth.require is set', async () => {
    expect(
      await identify([
        ['authorization', 'Bearer a'],
        ['authorization', 'Bearer b'],
      ]),
    ).toHaveProperty('rejected');
    const strict = identifier({ invalid_jwt: 'skip', require: true });
    expect(await strict(bearer('a.b.c'))).toHaveProperty('rejected');
  });

  it('warns loudly at the start', () => {
    const lines: string[] = [];
    identifier({ invalid_jwt: 'skip' }, { log: (level, msg) => void lines.push(`${level} ${msg}`) });
    expect(lines).toEqual([
      'warn auth.invalid_jwt is "skip": tokens are believed unverified, anybody can claim any identity',
    ]);
    identifier({ jwt_secret: SECRET }, { log: (level, msg) => void lines.push(`${level} ${msg}`) });
    expect(lines).toHaveLength(1);
  });
});
