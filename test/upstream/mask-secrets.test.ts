import { describe, expect, it } from 'vitest';
import { maskedError, secretsOf } from '../../lib/upstream/mask-secrets.ts';

const given: Record<string, string> = {
  '${env:LONG}': 'abcdef-ghijkl\n',
  '${env:SHORT}': 'abc',
  '${env:PART}': 'abcdef',
};
const resolve = async (text: string) => text.replace(/\$\{env:\w+\}/g, (reference) => given[reference]!);
const secrets = (...texts: [string, string][]) => secretsOf(texts, resolve);

describe('the secrets of a configuration', () => {
  it('are what references give, wherever they stand, the longest first', async () => {
    expect(await secrets(['X-A', 'a ${env:PART}'], ['', 'https://a.example/${env:LONG}'])).toEqual([
      'abcdef-ghijkl',
      'abcdef',
    ]);
  });

  it('are what a name says is one, without its scheme', async () => {
    expect(await secrets(['Authorization', 'Bearer written'], ['API_KEY', 'plainly'], ['X-Team', 'platform'])).toEqual([
      'written',
      'plainly',
    ]);
  });

  it('are nothing so short that it hides words', async () => {
    expect(await secrets(['X-A', '${env:SHORT}'], ['X-Key', 'x'])).toEqual([]);
  });
});

describe('an error without secrets', () => {
  it('keeps its code and everything else', () => {
    const data = { at: ['secret-one', 1, null, { deep: 'a secret-one' }] };
    expect(maskedError({ code: -1, message: 'no secret-one here', data }, ['secret-one'])).toEqual({
      code: -1,
      message: 'no *** here',
      data: { at: ['***', 1, null, { deep: 'a ***' }] },
    });
    expect(maskedError({ code: 1, message: 'plain' }, [])).toEqual({ code: 1, message: 'plain' });
  });

  it('holds no token, and keeps words that only look like one', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImFubiJ9.c2ln';
    const mask = (message: string) => maskedError({ code: 1, message }, []).message;
    expect(mask(`bad "${token}", ${token}.`)).toBe('bad "***", ***.');
    for (const text of ['eye.eyes.see', 'the-eyJhbGciOiJIUzI1NiJ9.eyJpZCI6', 'key.eyJpZCI6.x'])
      expect(mask(text)).toBe(text);
    const long = 'ey-'.repeat(400_000);
    expect(mask(long)).toBe(long);
  });
});
