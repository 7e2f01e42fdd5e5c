/** A piece of Lua source that is not white space or a comment. */
export interface Token {
  kind: 'name' | 'keyword' | 'number' | 'string' | 'symbol';
  text: string;
  /** Offsets into the source, the end exclusive. */
  start: number;
  end: number;
  line: number;
  /** How many blocks and brackets are open around it. */
  depth: number;
}

/** What can be told of a script without running it. */
export interface Outline {
  tokens: Token[];
  /** Names of functions defined at top level, in order. */
  functions: string[];
  /** Those of them that are local to the script. */
  locals: Set<string>;
  /** Global names that are given a value anywhere. */
  assigned: Set<string>;
  /** Index of the first token of the last top-level statement, -1 in an empty script. */
  last: number;
}

/** Characters of the longest script that is looked into; a longer one is run as it stands. */
const MAX_OUTLINED = 256 * 1024;
const KEYWORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);
const OPENERS = new Set(['do', 'function', 'if', 'repeat', '(', '[', '{']);
const CLOSERS = new Set(['end', 'until', ')', ']', '}']);
const STATEMENTS = new Set(['break', 'do', 'for', 'goto', 'if', 'local', 'repeat', 'return', 'while', '::', ';']);
const PATTERN =
  /--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*|\[(=*)\[[\s\S]*?(?:\]\2\]|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\.?\d[\d.]*(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\.\.\.|\.\.|::|<<|>>|\/\/|==|~=|<=|>=|\n|[^\s]/g;

/**
 * The code to go on with, and its outline: `await` before a call and `async` before a function are blanked out, since
 * calls here give their results at once.
 */
export function readSource(code: string): { code: string; outline: Outline } {
  const seen = outline(code);
  if (!/\ba(?:wait|sync)\b/.test(code)) return { code, outline: seen };
  let plain = code;
  seen.tokens.forEach(({ text, start, end, line }, i) => {
    const next = seen.tokens[i + 1];
    if (!next || next.line !== line || seen.assigned.has(text)) return;
    const blank = text === 'await' ? next.kind === 'name' : text === 'async' && next.text === 'function';
    if (blank) plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end);
  });
  return { code: plain, outline: outline(plain) };
}

/** Splits Lua source into tokens; never fails, whatever the text. */
export function outline(code: string): Outline {
  if (code.length > MAX_OUTLINED)
    return { tokens: [], functions: [], locals: new Set(), assigned: new Set(), last: -1 };
  const tokens: Token[] = [];
  let line = 1;
  let depth = 0;
  for (const match of code.matchAll(PATTERN)) {
    const text = match[0];
    if (text === '\n') {
      line++;
      continue;
    }
    const start = match.index;
    if (!text.startsWith('--')) {
      const kind = kindOf(text);
      const bare = kind === 'keyword' || kind === 'symbol';
      if (bare && CLOSERS.has(text)) depth = Math.max(0, depth - 1);
      tokens.push({ kind, text, start, end: start + text.length, line, depth });
      if (bare && OPENERS.has(text)) depth++;
    }
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++;
  }
  return { tokens, ...definitions(tokens), last: lastStatement(tokens) };
}

function kindOf(text: string): Token['kind'] {
  if (KEYWORDS.has(text)) return 'keyword';
  if (/^[A-Za-z_]/.test(text)) return 'name';
  if (/^["']|^\[=*\[/.test(text)) return 'string';
  if (/^\.?\d/.test(text)) return 'number';
  return 'symbol';
}

function definitions(tokens: Token[]): Pick<Outline, 'functions' | 'locals' | 'assigned'> {
  const functions = new Set<string>();
  const locals = new Set<string>();
  const assigned = new Set<string>();
  tokens.forEach((token, i) => {
    const [before, after, second] = [tokens[i - 1], tokens[i + 1], tokens[i + 2]];
    if (token.text === 'function' && after?.kind === 'name') {
      if (second?.text !== '.' && second?.text !== ':') {
        assigned.add(after.text);
        if (token.depth === 0) functions.add(after.text);
        if (token.depth === 0 && before?.text === 'local') locals.add(after.text);
      }
    } else if (token.kind === 'name' && before?.text !== '.' && before?.text !== ':') {
      const attribute = after?.text === '<' && tokens[i + 3]?.text === '>' ? 3 : 0;
      const sign = tokens[i + 1 + attribute]?.text;
      if (sign !== '=' && sign !== ',') return;
      assigned.add(token.text);
      if (sign === '=' && token.depth === 0 && tokens[i + 2 + attribute]?.text === 'function') {
        functions.add(token.text);
        if (before?.text === 'local') locals.add(token.text);
      }
    }
  });
  return { functions: [...functions], locals, assigned };
}

/** Whether an expression may end with this token, so that a name after it begins a new statement. */
function endsExpression(token: Token): boolean {
  if (token.kind === 'keyword') return ['end', 'false', 'nil', 'true', 'break'].includes(token.text);
  return token.kind !== 'symbol' || [')', ']', '}', '...', ';', '::'].includes(token.text);
}

/** Whether this token goes on with the expression before it, as `(` after a name calls it. */
function continues(token: Token): boolean {
  if (token.kind === 'string') return true;
  if (token.kind === 'keyword')
    return ['and', 'or', 'then', 'do', 'in', 'else', 'elseif', 'end', 'until'].includes(token.text);
  return token.kind === 'symbol' && token.text !== '::' && token.text !== '#';
}

function lastStatement(tokens: Token[]): number {
  let found = tokens.length > 0 ? 0 : -1;
  for (let i = 1; i < tokens.length; i++) {
    const token = tokens[i]!;
    const before = tokens[i - 1]!;
    if (token.depth !== 0 || token.text === ';') continue;
    if (before.text === 'local' || before.text === 'return' || before.text === 'goto') continue;
    if (before.text === ';' || STATEMENTS.has(token.text)) found = i;
    else if (endsExpression(before) && !continues(token) && !insideHeader(tokens, i, found)) found = i;
  }
  return found;
}

/** A `for` or `while` header runs to its `do` and an attribute to its `>`; names in there begin nothing. */
function insideHeader(tokens: Token[], at: number, statement: number): boolean {
  const head = tokens[statement]?.text;
  if (head !== 'for' && head !== 'while') return false;
  for (let i = statement; i < at; i++) if (tokens[i]?.text === 'do' && tokens[i]?.depth === 0) return false;
  return true;
}

/** Whether the last statement is an expression by its looks (the compiler has the last word). */
export function endsInExpression({ tokens, last }: Outline): boolean {
  const token = tokens[last];
  return token !== undefined && !STATEMENTS.has(token.text) && token.text !== 'function';
}
