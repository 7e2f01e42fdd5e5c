import { endsInExpression, type Outline, type Token } from './source.ts';

/** The code to compile for a script, and what its chunk's own result stands for. */
export interface Chunk {
  text: string;
  /** What the chunk returns: the entry itself, the last expression's value, or whatever the script says. */
  returns: 'entry' | 'expression' | 'own';
}

/**
 * Chunks to try in this order: forms models write that Lua alone would not run as meant, then the code as it is. All
 * keep the lines of the code.
 * - `local function Run` is handed out by a `return Run` behind it;
 * - a call of the entry as last statement is taken off, since we call it (it would run twice);
 * - where there is no entry, a last expression becomes the chunk's value.
 */
export function planChunks(code: string, outline: Outline, entry: string | undefined): Chunk[] {
  const name = entry ?? 'Run';
  const { tokens, last } = outline;
  const plain: Chunk = { text: code, returns: 'own' };
  if (last < 0) return [plain];
  if (outline.functions.includes(name)) {
    let text = code;
    let returns = tokens[last]?.text === 'return';
    if (callsEntry(tokens, last, name)) {
      const [from, to] = [tokens[last]!.start, tokens.at(-1)!.end];
      text = code.slice(0, from) + code.slice(from, to).replace(/[^\n]/g, ' ') + code.slice(to);
      returns = false;
    }
    if (outline.locals.has(name) && !returns) return [{ text: `${text}\nreturn ${name}`, returns: 'entry' }, plain];
    return text === code ? [plain] : [{ text, returns: 'own' }, plain];
  }
  if (entry === undefined && endsInExpression(outline)) {
    const from = tokens[last]!.start;
    let end = tokens.length - 1;
    while (tokens[end]?.text === ';') end--;
    const to = tokens[end]!.end;
    // In parentheses: no tail call, so that an error still knows its line.
    return [{ text: `${code.slice(0, from)}return (${code.slice(from, to)})`, returns: 'expression' }, plain];
  }
  return [plain];
}

/** `Run()`, `return Run()`, `Run(params)` or `Run({})`. */
function callsEntry(tokens: Token[], last: number, name: string): boolean {
  const texts = tokens.slice(last).map((token) => token.text);
  if (texts.at(-1) === ';') texts.pop();
  if (texts[0] === 'return') texts.shift();
  const [called, open, ...rest] = texts;
  if (called !== name || open !== '(' || rest.pop() !== ')') return false;
  return rest.length === 0 || rest.join('') === '{}' || (rest.length === 1 && /^[A-Za-z_]\w*$/.test(rest[0]!));
}
