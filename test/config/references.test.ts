import { describe, expect, it } from 'vitest';
import { createResolver, findReferences, withoutReferences } from '../../lib/config/references.ts';

const resolve = createResolver({
  env: { A: 'one', B: '${env:A}', EMPTY: '' },
  readParameter: async (name) => `parameter ${name}`,
  readSecret: async (id) => (id === 'plain' ? 'text' : '{"db":{"password":"p","port":5},"list":[1]}'),
});

describe('a reference', () => {
  it.each([
    ['no reference: $A ${A} $${', 'no reference: $A ${A} $${'],
    ['<${env:A}> and <${env:A}${env:EMPTY}>', '<one> and <one>'],
    ['${env:B}', '${env:A}'],
    ['$${env:A}', '${env:A}'],
    ['${ssm:/team/token}', 'parameter /team/token'],
    ['${secret:plain}', 'text'],
    ['${secret:arn:aws:secretsmanager:eu-west-1:1:secret:x-Ab#db.password}', 'p'],
    ['port ${secret:x#db.port}', 'port 5'],
  ])('%s becomes %s', async (text, expected) => {
    expect(await resolve(text)).toBe(expected);
  });

  it.each([
    ['${env:MISSING}', '${env:MISSING}: the environment variable MISSING is not set'],
    ['${secret:x#db.nope}', '${secret:x#db.nope}: the secret has no text at "db.nope"'],
    ['${secret:x#db}', '${secret:x#db}: the secret has no text at "db"'],
    ['${secret:x#__proto__.a}', '${secret:x#__proto__.a}: the secret has no text at "__proto__.a"'],
    ['${secret:plain#a}', '${secret:plain#a}: the secret is no JSON; leave out "#a" to use it whole'],
    ['${vault:x}', 'unknown kind of reference "vault"'],
  ])('%s fails, naming itself and no value', async (text, message) => {
    await expect(resolve(text)).rejects.toThrow(message);
  });

  it('to AWS fails where there is no AWS', async () => {
    await expect(createResolver({ env: {} })('${ssm:/x}')).rejects.toThrow('${ssm:/x}: can be read on AWS only');
  });

  it('is read again each time it is used', async () => {
    let reads = 0;
    const counting = createResolver({ env: {}, readSecret: async () => String(++reads) });
    expect([await counting('${secret:a}'), await counting('${secret:a}')]).toEqual(['1', '2']);
  });

  it('is found with its parts', () => {
    expect(findReferences('x ${secret:id#a.b} ${env:N}')).toEqual({
      references: [
        { kind: 'secret', id: 'id', key: 'a.b', text: '${secret:id#a.b}' },
        { kind: 'env', id: 'N', text: '${env:N}' },
      ],
      problems: [],
    });
    expect(withoutReferences('a ${env:N} $${env:N}', '***')).toBe('a *** ${env:N}');
  });
});
