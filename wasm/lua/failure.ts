import { excerpt } from '../repair/excerpt.ts';
import { advise } from './advice.ts';
import { CHUNK } from './callables.ts';
import type { Outline } from './source.ts';

/** The script as the user sees it, and how its lines differ from the code that ran. */
export interface UserSource {
  /** As the user wrote it. */
  whole: string;
  /** What the interpreter was given, fences off. */
  code: string;
  lineOffset: number;
  outline: Outline;
}

/** A message of Lua without its positions, and the innermost of them. */
export interface Located {
  text: string;
  /** In the code that ran, from 1. */
  line?: number;
}

/** Takes the positions off a message; `coroutine.wrap` and rethrowing put several before it. */
export function locate(message: string): Located {
  let text = message;
  let line: number | undefined;
  for (let found = POSITION.exec(text); found; found = POSITION.exec(text)) {
    if (found[1] === CHUNK) line = Number(found[2]);
    text = text.slice(found[0].length);
  }
  return line === undefined ? { text } : { text, line };
}

const POSITION = /^(code|sandbox):(\d+): /;

/** The message a user reads (`called`: the host function that failed; `known`: the column, where it is known), with the offending line, a caret where the spot is known, and what to change. */
export function explain(
  located: Located,
  { whole, code, lineOffset, outline }: UserSource,
  called?: string,
  known?: number,
): { message: string; line?: number; column?: number } {
  const advice = called ? undefined : advise(located.text, located.line, code, outline);
  const tail = advice ? `\n${advice}` : '';
  if (located.line === undefined) return { message: located.text + tail };
  const column =
    known ??
    (called ? columnOfCall(called, located.line, outline, code) : columnOf(located.text, located.line, outline, code));
  const line = located.line + lineOffset;
  const shown = excerpt(whole, line, column);
  return {
    message: `${located.text} (line ${line})${shown ? `\n${shown}` : ''}${tail}`,
    line,
    ...(column === undefined ? {} : { column }),
  };
}

/** Column (from 1) of the name or token that a message speaks of, if the line has it just once. */
function columnOf(text: string, line: number, { tokens }: Outline, code: string): number | undefined {
  const named =
    /\((?:global|local|field|method|upvalue|constant) '([^']*)'\)/.exec(text)?.[1] ?? /near '(.*)'$/s.exec(text)?.[1];
  if (named === undefined) return undefined;
  const plain = (found: string) => found === named || (found.length > 1 && found.slice(1, -1) === named);
  const used = /^attempt to index/.test(text) ? /^[.:[]$/ : /^attempt to call/.test(text) ? /^[({]|^["'[]/ : undefined;
  const here = tokens.filter(
    (token, i) => token.line === line && plain(token.text) && (!used || used.test(tokens[i + 1]?.text ?? '')),
  );
  // The parser stops at the first place it cannot go on from; of several equal tokens any could be it.
  const only = here.length === 1 ? here[0] : undefined;
  return only && only.start - code.lastIndexOf('\n', only.start - 1);
}

/** Column of `namespace.name`, if the line has it just once. */
function columnOfCall(called: string, line: number, { tokens }: Outline, code: string): number | undefined {
  const [namespace, name] = called.split('.');
  const here = tokens.filter(
    (token, i) =>
      token.line === line &&
      token.text === namespace &&
      (!name || (/^[.:]$/.test(tokens[i + 1]?.text ?? '') && tokens[i + 2]?.text === name)),
  );
  const only = here.length === 1 ? here[0] : undefined;
  return only && only.start - code.lastIndexOf('\n', only.start - 1);
}
