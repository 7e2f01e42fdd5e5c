import type { Notation } from './notation.ts';
import { quoted } from './typescript-type.ts';

/** How a Go script composes the value: literals with types in the places of values, `?` after a key it may leave out. */
export const goNotation: Notation = {
  any: 'any',
  object: 'map[string]any',
  array: '[]any',
  primitive: (name) => ({ string: 'string', number: 'float64', integer: 'int', boolean: 'bool', null: 'nil' })[name],
  literal: (value) => (typeof value === 'string' ? goQuoted(value) : value === null ? 'nil' : String(value)),
  arrayOf: (type) => (/^\w+$/.test(type) ? `[]${type}` : `[]any{${type}}`),
  tuple: (items, rest) => `[]any{${[...items, ...(rest ? [`${rest}...`] : [])].join(', ')}}`,
  fields: (fields) =>
    `map[string]any{${fields.map((field) => `${goQuoted(field.name)}${field.required ? '' : '?'}: ${field.type}`).join(', ')}}`,
  record: (type) => (/^\w+$/.test(type) ? `map[string]${type}` : 'map[string]any'),
  union: (types) => types.join('|'),
  intersection: (types) => types.join(' & '),
};

/** A Go string literal: as JavaScript's, but Go knows no surrogate escapes. */
export function goQuoted(value: string): string {
  return quoted(value.toWellFormed()).replace(/\\u(d[89ab]..)\\u(d[c-f]..)/g, (_, high: string, low: string) => {
    const code = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
    return `\\U${code.toString(16).padStart(8, '0')}`;
  });
}
