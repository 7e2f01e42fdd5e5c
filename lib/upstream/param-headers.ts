import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The mark in an input schema of an argument that is also sent as a header `Mcp-Param-<mark>` (protocol 2026-07-28). */
const MARK = 'x-mcp-header';

/** A header's name, by RFC 9110 a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const PLAIN = /^[\t\x20-\x7e]+$/;

/**
 * The `Mcp-Param-*` headers of a call: for marked properties reached through `properties` alone, whose argument is a
 * string, boolean or safe number. A null or absent argument has none.
 */
export function paramHeaders(schema: JsonObject, args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  const visit = (node: Json | undefined, value: Json | undefined) => {
    if (!isJsonObject(node)) return;
    const mark = node[MARK];
    const text = textOf(value);
    if (typeof mark === 'string' && TOKEN.test(mark) && text !== undefined) headers[`Mcp-Param-${mark}`] = encode(text);
    if (!isJsonObject(node['properties'])) return;
    const values = isJsonObject(value) ? value : {};
    for (const [name, property] of Object.entries(node['properties'])) {
      visit(property, Object.hasOwn(values, name) ? values[name] : undefined);
    }
  };
  visit(schema, args);
  return headers;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** What a header cannot carry as it is goes as `=?base64?…?=`. */
function encode(text: string): string {
  if (PLAIN.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text)) return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
