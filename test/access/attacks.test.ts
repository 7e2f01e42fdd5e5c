import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { Json } from '../../lib/json.ts';
import { identifier } from './identifier.ts';
import { base64url, endOf, hmacToken, part, rsaKeys, rsaToken, SECONDS, SECRET, sessionClaims } from './tokens.ts';

vi.setConfig({ testTimeout: 120_000 });

const identify = identifier({ jwt_secret: SECRET, user_jwt_secret: 'the other secret' });
const bearer = (token: string) => identify({ authorization: `Bearer ${token}` });

const good = hmacToken(sessionClaims('ann'));
const [head, payload, signature] = good.split('.') as [string, string, string];

/** Fails unless a token is refused, in words that hold no part of it. */
async function refused(token: string, check: (token: string) => ReturnType<typeof bearer> = bearer): Promise<void> {
  const answer = await check(token);
  expect(answer, token.slice(0, 200)).toHaveProperty('rejected');
  const text = (answer as { rejected: string }).rejected;
  for (const piece of token.split('.')) if (piece.length > 8) expect(text).not.toContain(piece);
}

describe('a forged token', () => {
  it('is refused with "alg": "none" in any spelling, signed or not', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'null']) {
      const forged = `${part({ alg, typ: 'JWT' })}.${part(sessionClaims('admin'))}`;
      for (const end of ['.', `.${signature}`, '', '.AA']) await refused(`${forged}${end}`);
    }
    for (const header of [
      {},
      { alg: null },
      { alg: 5 },
      { alg: ['HS256'] },
      { alg: { name: 'HS256' } },
      { ALG: 'HS256' },
    ]) {
      const input = `${part(header)}.${part(sessionClaims('admin'))}`;
      await refused(`${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`);
    }
  });

  it('is refused with every other algorithm, though the secret is right', async () => {
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
      ['HS1', 'sha1'],
      ['hs256', 'sha256'],
      ['HS256 ', 'sha256'],
      ['RS256', 'sha256'],
      ['ES256', 'sha256'],
      ['EdDSA', 'sha512'],
      ['dir', 'sha256'],
    ] as const) {
      await refused(hmacToken(sessionClaims('admin'), SECRET, { alg }, hash));
    }
  });

  it('is refused with a wrong, cut, empty, padded or swapped signature or secret', async () => {
    for (const secret of [
      'wrong',
      '',
      `${SECRET} `,
      SECRET.slice(1),
      SECRET.toUpperCase(),
      'the other secret',
      'undefined',
      'null',
    ]) {
      await refused(hmacToken(sessionClaims('admin'), secret));
    }
    const other = hmacToken(sessionClaims('admin')).split('.')[1];
    await refused(`${head}.${other}.${signature}`);
    await refused(`${head}.${payload}.`);
    await refused(`${head}.${payload}`);
    await refused(`${head}.${payload}.${signature.slice(0, -2)}`);
    await refused(`${head}.${payload}.${signature}AAAA`);
    await refused(`${head}.${payload}.${signature}.${signature}`);
    await refused(`${head}.${payload}.${signature}.a.b`);
    await refused(`.${payload}.${signature}`);
    await refused(`${head}..${signature}`);
  });

  it('is refused wherever one byte of it differs', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = Buffer.from(signature, 'base64url');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom(...alphabet, '.', '=', ' ', '+', '/', '\t'),
        async (at, sign) => {
          const changed = good.slice(0, at) + sign + good.slice(at + 1);
          const end = changed.split('.')[2] ?? '';
          // The last character has two spare bits: some spellings of it are the same signature.
          fc.pre(
            changed !== good &&
              !(
                changed.startsWith(`${head}.${payload}.`) &&
                same.equals(Buffer.from(end, 'base64url')) &&
                /^[\w-]{43}$/.test(end)
              ),
          );
          await refused(changed);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('is told that it has no end, when it has none that can be read', async () => {
    for (const claims of ['{"id":"ann"}', '{"id":"ann","exp":"soon"}', '{"id":"ann","exp":1e999}']) {
      expect(await bearer(hmacToken(claims))).toMatchObject({ rejected: expect.stringContaining('no usable "exp"') });
    }
  });

  it('is refused outside its times, and without an end', async () => {
    for (const claims of [
      { exp: SECONDS - 31 },
      { exp: 0 },
      { exp: -1 },
      { exp: null },
      { exp: `${SECONDS + 100}` },
      { exp: [SECONDS + 100] },
      { exp: true },
      { nbf: SECONDS + 31 },
      { nbf: `${SECONDS}` },
      { nbf: null },
      { iat: null },
    ]) {
      await refused(hmacToken(sessionClaims('ann', claims)));
    }
    await refused(hmacToken({ id: 'ann', iat: SECONDS }));
    await refused(hmacToken('{"id":"ann","exp":1e999}'));
    await refused(hmacToken('{"id":"ann","exp":NaN}'));
    await refused(hmacToken('{"id":"ann","__proto__":{"exp":9999999999}}'));
  });

  it('is refused when huge, before anything of it is decoded', async () => {
    await refused(hmacToken(sessionClaims('ann', { pad: 'x'.repeat(8192) })));
    await refused(`${'a'.repeat(5_000_000)}.b.c`);
    await refused('.'.repeat(8193));
    await refused('.'.repeat(8192));
    await refused(hmacToken(`${'['.repeat(4000)}${']'.repeat(1000)}`));
  });

  it('is refused in odd base64: padded, with the other alphabet, with blanks, with what no bytes make', async () => {
    for (const odd of [
      `${head}=.${payload}.${signature}`,
      `${head}.${payload}==.${signature}`,
      `${head}.${payload}.${signature}=`,
      `${head}. ${payload}.${signature}`,
      `${head}.${payload}.\t${signature}`,
      `${head}.${payload}.${signature} x`,
      `${head}.${payload.replace(/[A-Z]/, '+')}.${signature}`,
      `A.${payload}.${signature}`,
      `${head}.${payload}A.${signature}`,
      `%65${head.slice(1)}.${payload}.${signature}`,
      `"${good}"`,
      `<${good}>`,
      `${good}#`,
      `${good};x=y`,
      '..',
      '.',
      'a.b.c',
      'null',
      'Bearer x.y.z',
    ]) {
      await refused(odd);
    }
    await refused(`${base64url(Buffer.from([0xff, 0xfe]))}.${payload}.${signature}`);
    await refused(hmacToken('not json'));
    await refused(hmacToken(''));
    for (const claims of ['[]', 'null', '5', '"ann"', 'true']) await refused(hmacToken(claims));
  });

  it('is refused with a header that asks for another key or another way to check', async () => {
    const jwk = rsaKeys.publicKey.export({ format: 'jwk' }) as Record<string, string>;
    for (const extra of [
      { crit: ['exp'] },
      { crit: ['x'], x: 1 },
      { crit: [] },
      { b64: false, crit: ['b64'] },
      { crit: ['__proto__'] },
    ]) {
      await refused(hmacToken(sessionClaims('admin'), SECRET, extra));
    }
    for (const kid of [
      '../../../../dev/null',
      "' UNION SELECT 'x",
      '/dev/null',
      'http://evil.example/key',
      '',
      '\0',
      '__proto__',
    ]) {
      await refused(hmacToken(sessionClaims('admin'), '', { kid }));
      await refused(hmacToken(sessionClaims('admin'), kid, { kid }));
      await refused(
        rsaToken(sessionClaims('admin'), rsaKeys.privateKey, { kid, jwk, jku: 'http://evil.example/jwks' }),
      );
    }
    await refused(hmacToken(sessionClaims('admin'), 'embedded', { jwk: { kty: 'oct', k: base64url('embedded') } }));
    await refused(hmacToken(sessionClaims('admin'), 'x', { x5c: ['MII'], x5u: 'http://evil.example' }));
    await refused(hmacToken(sessionClaims('admin'), 'x', { zip: 'DEF', enc: 'A256GCM' }));
  });
});

describe('a token of the right issuer', () => {
  it('is one user, where a claim is there twice: the last, as every JSON reader here takes it', async () => {
    const twice = hmacToken(`{"id":"first","id":"last","exp":${SECONDS - 60},"exp":${SECONDS + 60}}`);
    expect(await bearer(twice)).toMatchObject({ caller: { userId: 'last' } });
    await refused(hmacToken(`{"id":"ann","exp":${SECONDS + 60},"exp":${SECONDS - 60}}`));
    await refused(`${base64url('{"alg":"HS256","alg":"none"}')}.${payload}.${signature}`);
  });

  it('is refused where its user is no usable id, and never falls back from "id" to "sub"', async () => {
    const ids: Json[] = [
      null,
      '',
      5,
      true,
      [],
      ['ann'],
      {},
      { toString: 'ann' },
      'x'.repeat(257),
      'a\nb',
      'a\r\nX-Evil: 1',
      'a\0',
      '\u0085',
      '\x7f',
    ];
    for (const id of ids) {
      await refused(hmacToken(sessionClaims('x', { id, sub: 'admin' })));
      await refused(hmacToken({ sub: id, exp: SECONDS + 60 }));
    }
    await refused(hmacToken(`{"sub":"\\ud800","exp":${SECONDS + 60}}`));
    await refused(hmacToken(`{"__proto__":{"id":"admin"},"exp":${SECONDS + 60}}`));
    await refused(hmacToken(`{"constructor":"admin","exp":${SECONDS + 60}}`));
  });

  it('keeps a weird id as it is, and gives it nothing', async () => {
    const check = identifier({ jwt_secret: SECRET, admins: ['root'] });
    for (const id of [
      '__proto__',
      'constructor',
      'toString',
      'x'.repeat(256),
      '../..',
      'a#b',
      'a,b',
      '<script>',
      '😀',
      'root ',
      'Root',
      'rооt',
      '${env:HOME}',
      'undefined',
      'null',
      'anonymous',
      'a',
    ]) {
      const token = hmacToken(sessionClaims(id));
      expect(await check({ authorization: `Bearer ${token}` })).toEqual({
        caller: { userId: id, token, tokenEndsAt: endOf(token), admin: false },
      });
    }
    expect(Object.hasOwn(Object.prototype, 'userId')).toBe(false);
  });

  it('is each of ten thousand users, and none of the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => bearer(hmacToken(sessionClaims(`user-${index}`)))),
    );
    const ids = answers.map((answer) => ('caller' in answer ? answer.caller.userId : 'refused'));
    expect(ids).toEqual(Array.from({ length: 10_000 }, (_, index) => `user-${index}`));
  });
});

describe('headers', () => {
  it('are refused where there is more than one identity in them', async () => {
    const eve = hmacToken(sessionClaims('eve'));
    const rejected = 'There is more than one Authorization header: send one.';
    for (const headers of [
      [
        ['authorization', `Bearer ${good}`],
        ['authorization', `Bearer ${eve}`],
      ],
      [
        ['Authorization', `Bearer ${good}`],
        ['AUTHORIZATION', `Bearer ${good}`],
      ],
      [['authorization', `Bearer ${good}, Bearer ${eve}`]],
      [['authorization', `Bearer ${good},`]],
      [['authorization', `, Bearer ${good}`]],
      [['authorization', `Basic YTpi, Bearer ${good}`]],
      [
        ['authorization', 'Bearer sk-1'],
        ['authorization', `Bearer ${good}`],
      ],
      [
        ['authorization', ''],
        ['authorization', `Bearer ${good}`],
      ],
    ] as [string, string][][]) {
      expect(await identify(headers), JSON.stringify(headers)).toEqual({ rejected });
    }
  });

  it('give no identity by another name, another scheme or a look-alike', async () => {
    for (const name of [
      'proxy-authorization',
      'x-authorization',
      'authorization2',
      'x-forwarded-authorization',
      'cookie',
      'x-user-id',
      'x-openwebui-user-id',
      'x-openwebui-user-email',
      'x-openwebui-user-role',
      'x-amzn-oidc-data',
    ]) {
      expect(await identify({ [name]: `Bearer ${good}` }), name).toEqual({ caller: ANONYMOUS });
    }
    for (const value of [
      `Basic ${good}`,
      `JWT ${good}`,
      `Bearer:${good}`,
      `Bearer=${good}`,
      good,
      `bearer${good}`,
      `"Bearer ${good}"`,
    ]) {
      expect(await identify({ authorization: value }), value).toEqual({ caller: ANONYMOUS });
    }
    await refused(`Bearer ${good}`);
    await refused(`x ${good}`);
    await refused(` ${good} ${good}`);
  });

  it('cannot carry line ends into the answer', async () => {
    expect(() => new Headers({ authorization: `Bearer ${good}\r\nX-Evil: 1` })).toThrow();
  });

  it('never make a refusal repeat what they held', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 12, unit: 'grapheme-ascii' }), async (text) => {
        fc.pre(text.trim().length >= 12);
        const answer = await identify({ authorization: `Bearer ${text}`, 'x-openwebui-user-jwt': text });
        expect(JSON.stringify(answer)).not.toContain(JSON.stringify(text.trim()).slice(1, -1));
      }),
      { numRuns: 500 },
    );
  });
});
