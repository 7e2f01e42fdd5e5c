import { constants, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdentify } from '../../lib/access/identify.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { CodeModeError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { createEntry } from '../../lib/server/entry.ts';
import { identifier } from './identifier.ts';
import { endOf, hmacToken, NOW, part, rsaKeys, rsaToken, SECONDS, SECRET } from './tokens.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://gateway.example/mcp';
const claims = { sub: 'ann', iss: ISSUER, aud: AUDIENCE, exp: SECONDS + 60 };
const publicKey = { ...rsaKeys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' };

let server: Server;
let url: string;
let answer: { status: number; body: string; headers?: Record<string, string> };
let asked = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});
afterAll(() => void server.close());
beforeEach(() => {
  asked = 0;
  answer = { status: 200, body: JSON.stringify({ keys: [publicKey] }) };
});

const auth = (more: object = {}) => ({ jwks_url: url, issuer: ISSUER, audience: AUDIENCE, ...more });
const check = (fields: object) => {
  const identify = identifier(fields);
  return (token: string) => identify({ authorization: `Bearer ${token}` });
};

describe('tokens checked with public keys', () => {
  it('are believed when issuer, audience and times are right; the keys are fetched once', async () => {
    const bearer = check(auth());
    const token = rsaToken(claims);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await bearer(token)).toEqual({
        caller: { userId: 'ann', token, tokenEndsAt: endOf(token), admin: false },
      });
    }
    expect(await bearer(rsaToken({ ...claims, aud: ['other', AUDIENCE] }))).toHaveProperty('caller');
    expect(asked).toBe(1);
  });

  it('may be signed in every way the list names', async () => {
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
    const ed25519 = generateKeyPairSync('ed25519');
    const ways: [alg: string, keys: KeyPairKeyObjectResult, hash: string | null, options: object][] = [
      ['RS256', rsaKeys, 'sha256', {}],
      ['RS384', rsaKeys, 'sha384', {}],
      ['RS512', rsaKeys, 'sha512', {}],
      ['PS256', rsaKeys, 'sha256', pss],
      ['PS384', rsaKeys, 'sha384', pss],
      ['PS512', rsaKeys, 'sha512', pss],
      ['ES256', curve('P-256'), 'sha256', { dsaEncoding: 'ieee-p1363' }],
      ['ES384', curve('P-384'), 'sha384', { dsaEncoding: 'ieee-p1363' }],
      ['ES512', curve('P-521'), 'sha512', { dsaEncoding: 'ieee-p1363' }],
      ['EdDSA', ed25519, null, {}],
      ['Ed25519', ed25519, null, {}],
    ];
    for (const [alg, keys, hash, options] of ways) {
      answer.body = JSON.stringify({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k' }] });
      const input = `${part({ alg, kid: 'k' })}.${part(claims)}`;
      const signature = sign(hash, Buffer.from(input), { key: keys.privateKey, ...options }).toString('base64url');
      const bearer = check(auth());
      expect(await bearer(`${input}.${signature}`), alg).toMatchObject({ caller: { userId: 'ann' } });
      expect(
        await bearer(`${input}.${signature.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A'))}`),
        alg,
      ).toHaveProperty('rejected');
    }
  });

  it('are refused from another issuer, for another audience, or with either missing', async () => {
    const bearer = check(auth());
    const issuer = { rejected: 'The token is from another issuer than auth.issuer.' };
    const audience = { rejected: 'The token is for another audience than auth.audience.' };
    const { iss: _, ...noIssuer } = claims;
    const { aud: __, ...noAudience } = claims;
    expect(await bearer(rsaToken({ ...claims, iss: `${ISSUER}/` }))).toEqual(issuer);
    expect(await bearer(rsaToken(noIssuer))).toEqual(issuer);
    expect(await bearer(rsaToken({ ...claims, aud: 'other' }))).toEqual(audience);
    expect(await bearer(rsaToken({ ...claims, aud: [] }))).toEqual(audience);
    expect(await bearer(rsaToken(noAudience))).toEqual(audience);
    expect(await bearer(rsaToken({ ...claims, exp: SECONDS - 60 }))).toMatchObject({
      rejected: expect.stringContaining('expired'),
    });
  });

  it('are refused when another key has signed them, named rightly or not', async () => {
    const bearer = check(auth());
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(await bearer(rsaToken(claims, stranger))).toEqual({
      rejected: 'The token is not signed with the key at auth.jwks_url that it names.',
    });
    const unknown = 'The token is signed with a key that is not among those at auth.jwks_url.';
    for (const kid of ['two', '../one', '__proto__', '']) {
      expect(await bearer(rsaToken(claims, rsaKeys.privateKey, { kid })), kid).toEqual({ rejected: unknown });
    }
    answer.body = JSON.stringify({ keys: [publicKey, { ...publicKey, kid: 'three' }] });
    const nameless = rsaToken(claims, rsaKeys.privateKey, { kid: undefined as unknown as string });
    expect(await check(auth())(nameless)).toEqual({ rejected: unknown });
    answer.body = JSON.stringify({ keys: [publicKey] });
    expect(await check(auth())(nameless)).toHaveProperty('caller');
  });

  it('are never checked with a public key taken for a secret (RS/HS confusion)', async () => {
    const texts = [
      rsaKeys.publicKey.export({ format: 'pem', type: 'spki' }),
      rsaKeys.publicKey.export({ format: 'pem', type: 'pkcs1' }),
      JSON.stringify(publicKey),
      publicKey.n!,
    ];
    for (const fields of [auth(), auth({ jwt_secret: SECRET })]) {
      for (const secret of texts) {
        expect(await check(fields)(hmacToken(claims, secret as string, { kid: 'one' }))).toHaveProperty('rejected');
      }
    }
    answer.body = JSON.stringify({
      keys: [{ kty: 'oct', k: Buffer.from('shared').toString('base64url'), kid: 'one' }],
    });
    expect(await check(auth())(hmacToken(claims, 'shared', { kid: 'one' }))).toEqual({
      rejected: "The token's algorithm is not accepted here: sign it with one of the algorithms of its public keys.",
    });
  });

  it('stand beside tokens checked with the secret, each by its own way', async () => {
    const bearer = check(auth({ jwt_secret: SECRET }));
    expect(await bearer(rsaToken(claims))).toMatchObject({ caller: { userId: 'ann' } });
    expect(await bearer(hmacToken({ id: 'bob', exp: SECONDS + 60 }))).toMatchObject({ caller: { userId: 'bob' } });
    expect(await bearer(hmacToken(claims, SECRET, { alg: 'HS512' }, 'sha512'))).toEqual({
      rejected:
        "The token's algorithm is not accepted here: sign it with HS256 or one of the algorithms of its public keys.",
    });
  });

  it('need no issuer or audience where none is configured', async () => {
    expect(await check({ jwks_url: url, issuer: '', audience: '' })(rsaToken(claims))).toHaveProperty('caller');
    expect(await check({ jwks_url: url })(rsaToken({ sub: 'ann', exp: SECONDS + 60 }))).toMatchObject({
      caller: { userId: 'ann' },
    });
  });

  it('are warned of where no audience, or no issuer, is configured', () => {
    const lines: string[] = [];
    const log: Log = (level, msg) => void lines.push(`${level} ${msg}`);
    identifier(auth(), { log });
    identifier({ jwt_secret: SECRET }, { log });
    expect(lines).toEqual([]);
    identifier(auth({ audience: '' }), { log });
    expect(lines.splice(0)).toEqual(['warn auth.audience is not set: tokens made for any other service are accepted']);
    identifier(auth({ issuer: '' }), { log });
    expect(lines).toEqual(['warn auth.issuer is not set: whoever its keys sign for is believed']);
  });

  it('cannot be checked while the keys cannot be fetched: that is no fault of the caller, and passes', async () => {
    const bearer = check(auth());
    const message = expect.stringContaining('Try again later');
    const failure = { code: 'upstream_unavailable', message, cause: expect.any(Error) };
    for (const broken of [
      { status: 500, body: '' },
      { status: 200, body: 'not json' },
      { status: 200, body: '{"keys":5}' },
      { status: 302, body: '', headers: { location: '/elsewhere' } },
    ]) {
      answer = broken;
      await expect(bearer(rsaToken(claims))).rejects.toMatchObject(failure);
    }
    answer = { status: 200, body: JSON.stringify({ keys: [publicKey] }) };
    expect(await bearer(rsaToken(claims))).toHaveProperty('caller');
    await expect(check({ jwks_url: 'http://127.0.0.1:1/jwks' })(rsaToken(claims))).rejects.toMatchObject(failure);
  });

  it('do not make us fetch the keys again and again for keys that do not exist', async () => {
    const bearer = check(auth());
    for (let turn = 0; turn < 20; turn += 1) await bearer(rsaToken(claims, rsaKeys.privateKey, { kid: `k${turn}` }));
    expect(asked).toBe(1);
  });
});

describe('an entry whose keys cannot be fetched', () => {
  it('answers 503 and what to do, and goes on', async () => {
    const identify = createIdentify({
      auth: configSchema.parse({ auth: auth() }).auth,
      resolve: async (text) => text,
      now: () => NOW,
    });
    const entry = createEntry(async (_, caller) => Response.json(caller), identify, undefined);
    const ask = () => entry(new Request(AUDIENCE, { headers: { authorization: `Bearer ${rsaToken(claims)}` } }));
    answer = { status: 500, body: '' };
    const response = await ask();
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).toContain('Try again later');
    answer = { status: 200, body: JSON.stringify({ keys: [publicKey] }) };
    expect(await (await ask()).json()).toMatchObject({ userId: 'ann' });
  });

  it('tells its log, not the client, which secret cannot be read', async () => {
    const logged: unknown[] = [];
    const identify = async () => {
      throw new CodeModeError('internal', 'the secret "webui" cannot be read (AccessDenied)');
    };
    const entry = createEntry(
      async () => Response.json({}),
      identify,
      undefined,
      (...line) => logged.push(line),
    );
    const response = await entry(new Request(AUDIENCE));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.text()).toMatch(/try again shortly(?!.*webui)/);
    expect(JSON.stringify(logged)).toContain('webui');
  });
});
