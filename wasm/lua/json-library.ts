import type { HostFunctions } from './callables.ts';
import type { Codec } from './codec.ts';
import { TYPE } from './lua-api.ts';
import type { Machine } from './machine.ts';
import { ValueError } from './values.ts';

/** Bytes of text that one `json.decode` reads: what it becomes lies in the worker's own memory for a while. */
const MAX_DECODED_BYTES = 4 * 1024 * 1024;

/** The two functions of the script's `json`: texts become values, and values texts, as they cross to the host (`codec.ts`). */
export function createJsonLibrary(
  { api, length, view }: Machine,
  { texts, pushJson, toJson }: Codec,
): Pick<HostFunctions, 'encode' | 'decode'> {
  function raise(state: number, message: string): number {
    api.luaL_where(state, 1);
    const place = texts.read(state, -1);
    texts.push(state, place + message);
    return api.lua_error(state);
  }

  /** Why the first argument cannot be decoded. */
  function refusal(state: number): string | undefined {
    const type = api.lua_type(state, 1);
    if (type === TYPE.table) {
      return 'json.decode takes text and was given a table: results of functions are decoded already, use them as they are';
    }
    if (type !== TYPE.string) {
      const given = type <= TYPE.nil ? 'nil' : 'a value of another kind';
      return `json.decode takes text and was given ${given}: print the value to see what it is`;
    }
    api.lua_tolstring(state, 1, length);
    if (view().getUint32(length, true) <= MAX_DECODED_BYTES) return undefined;
    return `json.decode takes at most ${MAX_DECODED_BYTES} bytes of text: decode it in parts`;
  }

  function told(failure: unknown): string {
    if (failure instanceof ValueError) return failure.message;
    if (failure instanceof SyntaxError) return `the text is not JSON: ${failure.message}`;
    throw failure;
  }

  return {
    // (text): its value.
    decode: (state) => {
      const refused = refusal(state);
      if (refused) return raise(state, refused);
      try {
        pushJson(state, texts.read(state, 1));
        return 1;
      } catch (failure) {
        return raise(state, `json.decode: ${told(failure)}`);
      }
    },

    // (value): its text. What else is given, an indentation say, changes nothing.
    encode: (state) => {
      try {
        texts.push(state, api.lua_gettop(state) === 0 ? 'null' : toJson(state, 1));
        return 1;
      } catch (failure) {
        return raise(state, `json.encode: ${told(failure)}`);
      }
    },
  };
}
