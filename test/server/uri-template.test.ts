import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesTemplate } from '../../lib/server/uri-template.ts';

/** The same by a regular expression: plain to read, but slow for some URIs. */
function plainly(template: string, uri: string): boolean {
  const values: Record<string, string> = {
    '+': '.+',
    '#': '(?:#.*)?',
    '/': '(?:/[^?#]*)?',
    '?': '(?:\\?[^#]*)?',
    '&': '(?:&[^#]*)?',
    '.': '(?:\\.[^/?#]*)?',
    ';': '(?:;[^/?#]*)?',
  };
  const parts = template
    .split(/\{([^}]*)\}/)
    .map((part, at) => (at % 2 ? (values[part[0] ?? ''] ?? '[^/?#]+') : part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 's').test(uri);
}

describe('a URI', () => {
  it.each([
    ['file:///{+path}', 'file:///a/b.txt', true],
    ['file:///{path}', 'file:///a/b.txt', false],
    ['file:///{path}', 'file:///', false],
    ['db://{schema}.{table}', 'db://a.b', true],
    ['db://{schema}.{table}', 'db://ab', false],
    ['repo://{owner}/{name}{?ref}', 'repo://a/b?ref=c', true],
    ['repo://{owner}/{name}{?ref}', 'repo://a/b', true],
    ['x://fixed', 'x://fixed', true],
    ['x://fixed', 'x://fixed/', false],
    ['x://{open', 'x://{open', true],
    ['x://{constructor}', 'x://a', true],
  ])('of the template %s may be %s: %s', (template, uri, may) => {
    expect(matchesTemplate(template, uri)).toBe(may);
  });

  it('is matched as a regular expression would', async () => {
    const text = fc.array(fc.constantFrom('a', '.', '/', '?', '#', '&', ';', '\n', '{'), { maxLength: 10 });
    const part = fc.constantFrom(
      '{a}',
      '{+a}',
      '{#a}',
      '{/a}',
      '{?a}',
      '{&a}',
      '{.a}',
      '{;a}',
      '{}',
      'a',
      '.',
      '/',
      '?',
    );
    const template = fc.array(part, { maxLength: 6 });
    await fc.assert(
      fc.property(template, text, (parts, letters) => {
        const [pattern, uri] = [parts.join(''), letters.join('')];
        expect(matchesTemplate(pattern, uri)).toBe(plainly(pattern, uri));
      }),
      { numRuns: 50_000 },
    );
  });

  it('that fits in very many ways but one is refused all the same', () => {
    expect(matchesTemplate('db://{schema}.{table}.{column}.{row}', `db://${'a.'.repeat(4000)}/`)).toBe(false);
    expect(matchesTemplate('db://{schema}.{table}.{column}.{row}', `db://${'a.'.repeat(4000)}a`)).toBe(true);
  });

  it('longer than any real one is no match', () => {
    expect(matchesTemplate('x://{+a}', `x://${'a'.repeat(8188)}`)).toBe(true);
    expect(matchesTemplate('x://{+a}', `x://${'a'.repeat(8189)}`)).toBe(false);
  });
});
