/** Longest piece of a source line shown, characters. */
const LINE_WIDTH = 120;

/**
 * The offending line with a caret under the column, for the end of an error's message; empty where there is no such line.
 * `line` and `column` count from 1; long lines are cut around the column, control characters never reach the reader.
 */
export function excerpt(source: string, line: number, column?: number): string {
  const text = source.split('\n')[line - 1]?.replace(/\r$/, '');
  if (text === undefined) return '';
  const at = column === undefined ? undefined : Math.min(Math.max(column, 1), text.length + 1);
  const start = at !== undefined && at > LINE_WIDTH ? at - Math.floor(LINE_WIDTH / 2) : 0;
  // Tabs and control characters become blanks, so that the caret stands where it should.
  const shown = text.slice(start, start + LINE_WIDTH).replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  const gutter = `${line} | `;
  if (at === undefined) return `${gutter}${shown}`;
  return `${gutter}${shown}\n${' '.repeat(gutter.length - 2)}| ${' '.repeat(at - 1 - start)}^`;
}
