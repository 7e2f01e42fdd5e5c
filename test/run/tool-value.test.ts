import { describe, expect, it } from 'vitest';
import { resultText, toolValue } from '../../lib/run/tool-value.ts';

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'AA', mimeType: 'image/png' };

describe('a tool result in a script', () => {
  it.each([
    ['structured content', { structuredContent: { a: 1 }, content: [text('ignored')] }, '{"a":1}'],
    ['structured null', { structuredContent: null, content: [text('ignored')] }, 'null'],
    ['text', { content: [text('plain words')] }, '"plain words"'],
    ['JSON text', { content: [text(' {"a": [1, 2]} ')] }, '{"a": [1, 2]}'],
    [
      'a number too big for a double, digit for digit',
      { content: [text('12345678901234567890')] },
      '12345678901234567890',
    ],
    ['text that only begins like JSON', { content: [text('{not json')] }, '"{not json"'],
    ['text that begins with a word of JSON', { content: [text('nullable')] }, '"nullable"'],
    ['an empty text', { content: [text('')] }, '""'],
    ['several blocks', { content: [text('a'), text('1'), image] }, `["a",1,${JSON.stringify(image)}]`],
    ['one image', { content: [image] }, JSON.stringify(image)],
    ['no blocks', { content: [] }, 'null'],
    ['nothing', {}, 'null'],
  ])('is %s', (_what, result, value) => {
    expect(toolValue(result)).toBe(value);
  });

  it('tells its failure by its texts', () => {
    expect(resultText({ content: [text('a'), image, text('b')], isError: true })).toBe('a\nb');
    expect(resultText({ structuredContent: { why: 1 }, isError: true })).toBe('{"why":1}');
    expect(resultText({ isError: true })).toContain('without a text');
  });
});
