import type { JsonObject } from '../json.ts';
import { paramHeaders } from '../upstream/param-headers.ts';

/** The SDK's code for headers that disagree with the body (protocol 2026-07-28). */
export const HEADER_MISMATCH = -32020;

/**
 * Whether a call's `Mcp-Param-*` headers say what its arguments say, for a tool whose schema asks for them: what is wrong,
 * or undefined. A header for an argument that is absent or null does not matter.
 */
export function checkParamHeaders(schema: JsonObject, args: JsonObject, headers: Headers): string | undefined {
  for (const [name, expected] of Object.entries(paramHeaders(schema, args))) {
    const given = headers.get(name);
    if (given === null) return `the header ${name} is missing: its argument is in the body`;
    const value = decode(given);
    if (value === undefined) return `the header ${name} is not valid Base64 between =?base64? and ?=`;
    const wanted = decode(expected)!;
    if (value !== wanted && !sameNumber(value, wanted)) return `the header ${name} is not what its argument says`;
  }
  return undefined;
}

function decode(text: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/s.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what is not Base64; only what it reads whole is valid.
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}

/** `5`, `5.0` and `5e0` are one number, whichever way a client writes it. */
function sameNumber(a: string, b: string): boolean {
  const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
  return decimal.test(a) && decimal.test(b) && Number(a) === Number(b);
}
