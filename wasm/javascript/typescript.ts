import { stripTypeScriptTypes } from 'node:module';
import type { CreateGuest } from '../guest.ts';
import { createJavascriptGuest } from './guest.ts';
import type { JavascriptKit } from './prepare-javascript.ts';
import type { SyntaxFault } from './source.ts';

/** What to write instead of syntax that is more than types: it would need code of its own. */
const INSTEAD: [pattern: RegExp, advice: string][] = [
  [/enum/, 'use a union of strings (type Colour = "red" | "blue") or a plain object'],
  [/namespace|module declaration/, 'use a plain object or functions'],
  [/parameter property/, 'declare the field in the class and assign it in the constructor'],
  [/import/, 'the sandbox has no modules'],
];
/** Longest line the stripper can tell of a fault in, characters; at one in a longer line it fails inside. */
const LONGEST_LINE = 65_535;
const LINE_TOO_LONG = `a line of more than ${LONGEST_LINE} characters is nested too deeply, or holds a fault or a return outside every function: break it into shorter lines`;
/** A `return` outside a function is no TypeScript, but what models write: the types are then stripped inside a function. */
const HEAD = 'async function body() {\n';
const TAIL = '\n}';

/** The TypeScript guest: types become blanks, so every position stays, and JavaScript's guest runs the rest. */
export const createGuest: CreateGuest<JavascriptKit> = async (kit) => {
  let spoilt = false;
  // The first call loads the stripper, which it could not once the worker is hardened.
  stripTypeScriptTypes('let warm: number');

  function strip(code: string): string | SyntaxFault {
    try {
      return stripTypeScriptTypes(code);
    } catch (error) {
      const { message, stack = '', code: kind } = error as NodeJS.ErrnoException;
      if (/return statement is not allowed/i.test(message)) {
        const wrapped = strip(HEAD + code + TAIL);
        if (typeof wrapped === 'string') return wrapped.slice(HEAD.length, -TAIL.length);
        return { ...wrapped, line: Math.max(1, wrapped.line - 1) };
      }
      if (kind !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' && kind !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
        // The stripper is wasm too: once it has failed inside, it is broken for its whole thread.
        spoilt = true;
        const long = code.split('\n').findIndex((line) => line.length > LONGEST_LINE);
        return {
          message: long < 0 ? 'the code is nested too deeply' : LINE_TOO_LONG,
          line: Math.max(long, 0) + 1,
          column: 1,
        };
      }
      const unsupported = kind === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
      const advice = unsupported ? INSTEAD.find(([pattern]) => pattern.test(message))?.[1] : undefined;
      // The place is told in the stack only: ":<line>", the lines, marks under the place.
      const line = /^[^\n]*:(\d+)\n/.exec(stack)?.[1];
      const marks = /^( *)\^+$/m.exec(stack)?.[1];
      return {
        message: advice ? `${message}; ${advice}` : message,
        line: Number(line ?? 1),
        column: (marks?.length ?? 0) + 1,
      };
    }
  }

  const guest = createJavascriptGuest(kit, strip);
  return { run: guest.run, reset: () => guest.reset() && !spoilt };
};
