/** Code with a markdown fence taken off. */
export interface Unfenced {
  /** The code inside the fence, or the text as it was. */
  code: string;
  /** Lines of the user's source that stand before the first line of `code`: add it to every line number. */
  lineOffset: number;
}

const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*$/;

/**
 * Takes off the markdown fence a model wrapped its code in; prose before and after one single fenced block goes with it.
 * Left alone: code without a fence, several blocks (which one is meant is anybody's guess), and a fence inside code that
 * does not itself begin with one unless prose plainly surrounds it.
 */
export function stripFences(code: string): Unfenced {
  const asItWas = { code, lineOffset: 0 };
  if (!code.includes('```') && !code.includes('~~~')) return asItWas;
  const lines = code.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const first = lines.findIndex((line) => line.trim() !== '');
  let open = first;
  let fence = OPENING.exec(lines[first] ?? '')?.[1];
  if (!fence) {
    // Prose, then a block: only when the text before it cannot be code.
    open = lines.findIndex((line) => OPENING.test(line));
    if (open < 0 || !lines.slice(first, open).every(isProse)) return asItWas;
    fence = OPENING.exec(lines[open] ?? '')?.[1] ?? '```';
  }
  const mark = fence;
  const closes = (line: string) => {
    const text = line.trim();
    return text.length >= mark.length && text === mark[0]!.repeat(text.length);
  };
  let close = -1;
  for (let at = open + 1; at < lines.length; at++) {
    if (closes(lines[at]!)) {
      close = at;
      break;
    }
  }
  if (close < 0) close = lines.length;
  if (lines.slice(close + 1).some((line) => OPENING.test(line))) return asItWas;
  return { code: lines.slice(open + 1, close).join('\n'), lineOffset: open + 1 };
}

/** A comment, or a line of plain words: starts with a letter and holds nothing that code is made of. */
function isProse(line: string): boolean {
  const text = line.trim();
  if (/^(\/\/|--)/.test(text)) return true;
  return text === '' || (/^[\p{L}*#>-]/u.test(text) && !/[{}();=[\]`$]/.test(text));
}
