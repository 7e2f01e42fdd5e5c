import { createFromJson, type PushJson } from './from-json.ts';
import type { Machine } from './machine.ts';
import { createTexts, type Texts } from './texts.ts';
import { createToJson, type ToJson } from './to-json.ts';
import type { References } from './values.ts';

/**
 * How values cross between JSON and Lua:
 *
 * | JSON | Lua |
 * |---|---|
 * | array | table marked as a list (also when empty); `null` in it is the light userdata `null` |
 * | object | table; members that are null are absent |
 * | whole number within 64 bits, any digits | integer |
 * | other number, `-0` | float |
 * | lone surrogate in a string | U+FFFD |
 *
 * | Lua | JSON |
 * |---|---|
 * | table with keys 1…n, at least every second one filled; marked table without keys | array, holes null |
 * | any other table, `{}` too | object, keys sorted; number keys as text |
 * | integer | all its digits |
 * | float | as JavaScript writes it: 2.0 is 2; NaN and infinities are null, -0.0 is 0 |
 * | nil, `null` | null |
 * | text that is not UTF-8 | U+FFFD for the bad bytes |
 * | function, thread, cycle, nested over 1000, two equal keys, other keys | an error that names the place |
 *
 * Metatables are not asked: `__index`, `__pairs` and the like never run.
 */
export interface Codec {
  texts: Texts;
  pushJson: PushJson;
  toJson: ToJson;
}

/** The codec of one machine. */
export function createCodec(machine: Machine, references: References): Codec {
  const texts = createTexts(machine);
  return {
    texts,
    pushJson: createFromJson(machine, texts, references),
    toJson: createToJson(machine, texts, references),
  };
}
