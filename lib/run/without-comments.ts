import type { Language } from '../sandbox/contract.ts';

/** What begins a text in quotes or a comment. */
const C_MARKS = /["'`]|\/[/*]/g;
const LUA_MARKS = /["']|--/g;

const LUA_LONG = /--\[(=*)\[/y;

/**
 * Code with a space in place of each comment, as far as reading it tells; a quote that does not end on its line is no text.
 * Whoever may keep code chooses it, so the time grows with its length alone: what has no end is looked for once.
 */
export function withoutComments(code: string, language: Language): string {
  const marks = new RegExp(language === 'lua' ? LUA_MARKS : C_MARKS);
  const endless = new Map<string, number>();
  let lineEnd = -1;
  let kept = '';
  let from = 0;

  /** Where the line of a place ends. */
  function endOfLine(at: number): number {
    if (lineEnd < at) lineEnd = code.indexOf('\n', at);
    if (lineEnd < 0) lineEnd = code.length;
    return lineEnd;
  }

  /** After the text that a quote begins; undefined where it begins none. */
  function endOfText(quote: string, at: number): number | undefined {
    const bound = quote === '`' ? code.length : endOfLine(at);
    if ((endless.get(quote) ?? -1) > at) return undefined;
    for (let next = at + 1; next < bound; next++) {
      if (code[next] === '\\') next++;
      else if (code[next] === quote) return next + 1;
    }
    // Until there every such quote is behind a backslash.
    endless.set(quote, bound);
    return undefined;
  }

  function endOfBlock(closer: string, at: number): number | undefined {
    if (endless.has(closer)) return undefined;
    const end = code.indexOf(closer, at);
    if (end >= 0) return end + closer.length;
    endless.set(closer, code.length);
    return undefined;
  }

  function endOfComment(mark: string, at: number): number | undefined {
    if (mark === '/*') return endOfBlock('*/', at + 2);
    LUA_LONG.lastIndex = at;
    const long = mark === '--' ? LUA_LONG.exec(code) : null;
    const end = long ? endOfBlock(`]${long[1]}]`, at + long[0].length) : undefined;
    return end ?? endOfLine(at);
  }

  for (let found = marks.exec(code); found; found = marks.exec(code)) {
    const { index, 0: mark } = found;
    const text = mark.length === 1;
    const end = text ? endOfText(mark, index) : endOfComment(mark, index);
    if (end === undefined) continue;
    if (!text) {
      kept += `${code.slice(from, index)} `;
      from = end;
    }
    marks.lastIndex = end;
  }
  return kept + code.slice(from);
}
