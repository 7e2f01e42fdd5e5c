import { describe, expect, it } from 'vitest';
import { isDeprecated } from '../../lib/deprecated.ts';

describe('a description', () => {
  it.each([
    'Read a file as text. DEPRECATED: Use read_text_file instead.',
    'Deprecated. Use search instead.',
    '[DEPRECATED] Reads a page.',
    'Reads a page (deprecated).',
    'Reads a page.\n\n**Deprecated**: use fetch.',
    'Reads a page. Deprecated in favour of fetch.',
    'Reads a page. This tool is deprecated and will be removed.',
  ])('that marks its tool says so: %s', (text) => {
    expect(isDeprecated(text)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Lists deprecated packages of a registry.',
    'Sets the state of an API to ACTIVE or DEPRECATED.',
    'Deprecated packages are listed with their successors.',
  ])('that speaks of other deprecated things marks nothing: %s', (text) => {
    expect(isDeprecated(text)).toBe(false);
  });
});
