import type { Notation } from './notation.ts';

/** TypeScript's own notation, in which JavaScript's calls are described too. */
export const typescriptNotation: Notation = {
  any: 'any',
  object: 'object',
  array: 'any[]',
  primitive: (name) => (name === 'integer' ? 'number' : name),
  literal: (value) => (typeof value === 'string' ? quoted(value) : String(value)),
  arrayOf: (type) => (isCompound(type) ? `(${type})[]` : `${type}[]`),
  tuple: (items, rest) =>
    `[${[...items, ...(rest ? [`...${isCompound(rest) ? `(${rest})` : rest}[]`] : [])].join(', ')}]`,
  fields: (fields, rest) => {
    const written = fields.map((field) => `${key(field.name)}${field.required ? '' : '?'}: ${field.type}`);
    return `{${[...written, ...(rest ? [`[key: string]: ${rest}`] : [])].join(', ')}}`;
  },
  record: (type) => `{[key: string]: ${type}}`,
  union: (types) => types.join(' | '),
  intersection: (types) => types.map((type) => (type.includes('|') ? `(${type})` : type)).join(' & '),
};

/** As above, without saying that more keys are allowed: in a one-line signature that is only noise. */
export const javascriptNotation: Notation = {
  ...typescriptNotation,
  fields: (fields) => typescriptNotation.fields(fields),
  union: (types) => types.join('|'),
};

/** Whether a type needs brackets before `[]`: anything that is not one word or one bracketed group. */
function isCompound(type: string): boolean {
  const item = type.replace(/(\[\])+$/, '');
  return !/^[\w$.]+$/.test(item) && !isOneGroup(item);
}

function isOneGroup(type: string): boolean {
  if (!/^[{[]/.test(type)) return false;
  let depth = 0;
  for (const [at, character] of [...type].entries()) {
    if ('{[('.includes(character)) depth++;
    if ('}])'.includes(character) && --depth === 0) return at === type.length - 1;
  }
  return false;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A string literal of JavaScript, TypeScript and Go that cannot end a comment or a fence and shows what is invisible. */
export function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\p{C}\p{Zl}\p{Zp}`~]|\*(?=\/)|\/(?=\*)|\[(?=[[=])|\](?=[\]=])|<(?=!--)/gu,
    (found) =>
      [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
