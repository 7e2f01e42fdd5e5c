import type { Notation } from './notation.ts';

/** LuaLS's notation (`---@param`, `---@return`). */
export const luaNotation: Notation = {
  any: 'any',
  object: 'table',
  array: 'any[]',
  primitive: (name) => (name === 'null' ? 'nil' : name),
  literal: (value) => (typeof value === 'string' ? luaQuoted(value) : value === null ? 'nil' : String(value)),
  arrayOf: (type) => (/^\w+$/.test(type) || /^\{[^{}]*\}$/.test(type) ? `${type}[]` : `(${type})[]`),
  tuple: (items, rest) => `[${[...items, ...(rest ? [`...${rest}`] : [])].join(', ')}]`,
  fields: (fields) =>
    `{${fields.map((field) => `${luaKey(field.name)}${field.required ? '' : '?'}: ${field.type}`).join(', ')}}`,
  record: (type) => `table<string, ${type}>`,
  union: (types) => types.join('|'),
  intersection: (types) => types.map((type) => (type.includes('|') ? `(${type})` : type)).join(' & '),
};

const LUA_WORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

/** A key of a Lua table constructor: bare where Lua allows it. */
export function luaKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !LUA_WORDS.has(name) ? name : `[${luaQuoted(name)}]`;
}

/** A Lua string literal; what is not plain is written as `\u{…}`, so that nothing can end a comment or a fence. */
export function luaQuoted(value: string): string {
  const body = value.replace(/["\\[\]`~]|\*(?=\/)|\/(?=\*)|[\p{C}\p{Zl}\p{Zp}]/gu, (found) =>
    found === '"' || found === '\\' ? `\\${found}` : `\\u{${found.codePointAt(0)?.toString(16)}}`,
  );
  return `"${body}"`;
}
