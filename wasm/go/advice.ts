import type { HostFunction } from '../../lib/sandbox/contract.ts';
import type { GuestResult } from '../guest.ts';
import { meantByHyphens } from '../repair/hyphens.ts';

type Failed = Extract<GuestResult, { ok: false }>;

const ASSERT = 'assert the type of an any first, as in `v.(string)` or `m := v.(map[string]any)`';

/** What the interpreter says of a value of type `any` that is used as if it had another, and what to change. */
const ON_ANY: readonly (readonly [said: RegExp, better: (found: readonly string[]) => string])[] = [
  [
    /^reflect\.Value\.Convert: value of type interface \{\} cannot be converted to type (.+)$/,
    ([, type]) => `a value of type any cannot be converted to ${type}: ${ASSERT}`,
  ],
  [
    /^reflect\.Set: value of type interface \{\} is not assignable to type (.+)$/,
    ([, type]) => `a value of type any is no ${type}: ${ASSERT}`,
  ],
  [
    /^(invalid operation: operator .+ not defined on) interface \{\}$/,
    ([, operation]) => `${operation} any: ${ASSERT}`,
  ],
  [
    /^undefined method: (\w)(\w*)$/,
    ([whole, first, rest]) =>
      `${whole}; a member of a result is read as v.(map[string]any)["${first!.toLowerCase()}${rest}"]`,
  ],
  [
    /^interface conversion: map\[string\]interface \{\} is not (map\[string\]\w+)/,
    ([, type]) => `the value is a map[string]any, not a ${type}: assert v.(map[string]any), then each member`,
  ],
];

/** A name that is nothing, in the interpreter's words and in the host's. */
const UNKNOWN = /^(?:undefined: |there is no function \w+\.)(\w+)/;

/** A failure in words that say what to change, where the interpreter's own do not. */
export function advise(failed: Failed, functions: readonly HostFunction[], code: string): Failed {
  const unknown = UNKNOWN.exec(failed.message)?.[1];
  const line = code.split('\n')[(failed.line ?? 0) - 1] ?? '';
  const hyphens = unknown && meantByHyphens(line, unknown, functions, 'camel');
  if (hyphens) return { ...failed, code: 'function_not_found', ...hyphens };
  const tool = /^undefined: ((\w+?)__(\w+))$/.exec(failed.message);
  const meant = tool && functions.find(({ namespace, snake }) => namespace === tool[2] && snake === tool[3]);
  if (meant) {
    const message = `there is no function ${tool[1]}: ${tool[1]} → ${meant.namespace}.${meant.camel}`;
    return { ...failed, code: 'function_not_found', message };
  }
  for (const [said, better] of ON_ANY) {
    const found = said.exec(failed.message);
    if (found) return { ...failed, message: better(found) };
  }
  return failed;
}
