import { isJsonObject, type Json } from '../json.ts';
import { goQuoted } from './go-type.ts';
import { luaKey, luaQuoted } from './lua-type.ts';
import { quoted } from './typescript-type.ts';

/** A value as JavaScript and TypeScript write it. */
export function javascriptLiteral(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(javascriptLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const pairs = Object.entries(value).map(([name, item]) => `${javascriptKey(name)}: ${javascriptLiteral(item)}`);
  return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}';
}

function javascriptKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A value as Lua writes it. */
export function luaLiteral(value: Json): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return luaQuoted(value);
  if (Array.isArray(value)) return `{${value.map(luaLiteral).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${luaKey(name)} = ${luaLiteral(item)}`)
    .join(', ')}}`;
}

/** A value as Go writes it: `map[string]any` and `[]any`. */
export function goLiteral(value: Json): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return goQuoted(value);
  if (Array.isArray(value)) return `[]any{${value.map(goLiteral).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  return `map[string]any{${Object.entries(value)
    .map(([name, item]) => `${goQuoted(name)}: ${goLiteral(item)}`)
    .join(', ')}}`;
}
