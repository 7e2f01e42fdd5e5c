import type { Outline, Token } from './source.ts';

/** Names every script has, for suggesting the nearest. */
const KNOWN = words(
  'array assert collectgarbage console coroutine error getmetatable ipairs io math next null os pairs parallel pcall ' +
    'print rawequal rawget rawlen rawset select setmetatable string table tonumber tostring type utf8 xpcall',
);

/** What to write instead of what other languages write, by the token the parser stopped at or before. */
const FOREIGN: [near: RegExp, line: RegExp, advice: string][] = [
  [
    /./,
    /\bforeach\b|for\s+\w+\s+of\b|for\s*\(/,
    'Lua loops are: for i = 1, 10 do … end, or for key, value in pairs(t) do … end',
  ],
  [/^!$|^!=$|^=$/, /!=/, 'Lua writes "not equal" as ~='],
  [/^!$/, /!/, 'Lua writes "not x", not !x'],
  [/^[-+*/%]$|^=$|^\.\.$/, /[-+*/%]=|\.\.=/, 'Lua has no +=, -=, *= or ..=: write x = x + 1'],
  [/^\+$|^-$|^\d|^<eof>$|./, /\w\+\+|\+\+\w/, 'Lua has no ++: write x = x + 1'],
  [/^&$|^&&$/, /&&/, 'Lua writes "and", not &&'],
  [/^\|$|^\|\|$/, /\|\|/, 'Lua writes "or", not ||'],
  [/^\/\/$/, /\/\//, 'Lua comments begin with --'],
  [/^\/$|^\*$/, /\/\*/, 'Lua comments are --[[ … ]]'],
  [/^#$/, /^\s*#/, 'Lua comments begin with --'],
  [/^\?$|^:$/, /\?/, 'Lua has no ?: or ?. — write (condition and a or b), or (x and x.y)'],
  [/^=$|^>$|^=>$/, /=>/, 'Lua functions are function(a) … end; table fields are key = value'],
  [/^`$/, /`/, 'Lua strings are "…" or [[…]]; join with .. or use string.format'],
  [/^\{$/, /^\s*(\}\s*)?(function\b.*|if\b.*|for\b.*|while\b.*|else\b.*)\{/, 'Lua blocks are then/do … end, not { … }'],
  [/^\}$/, /\}/, 'Lua blocks end with "end"; braces are for tables only'],
  [/./, /[{,]\s*(\w+|"[^"]*"|'[^']*')\s*:\s/, 'Lua tables are {key = value}, or {["any text"] = value}'],
  [/^\[$/, /\[/, 'Lua lists are {1, 2, 3}, not [1, 2, 3]'],
  [/./, /^\s*(const|let|var)\s/, 'Lua declares with local: local x = 1'],
  [/./, /^\s*(try|catch|finally)\b/, 'Lua catches errors with pcall: local ok, result = pcall(function() … end)'],
  [
    /./,
    /^\s*(import|export|from)\b/,
    'Lua scripts here have no modules: the functions of the servers are there at once',
  ],
  [/./, /\belif\b|\belsif\b/, 'Lua writes elseif'],
  [/./, /\bfunc\b|\bdef\b|\bfn\b/, 'Lua functions are function name(a) … end'],
  [
    /./,
    /\basync\b|\bawait\b/,
    'Calls in Lua give their results at once: leave out async and await; parallel(f, g) runs calls at the same time',
  ],
  [/./, /\bcontinue\b/, 'Lua has no continue: use goto continue with ::continue:: before the end, or an if'],
  [/./, /\bnew\s+\w/, 'Lua has no new'],
  [/./, /\bswitch\b|\bcase\b/, 'Lua has no switch: use if … elseif … end'],
];

/** Methods that other languages' lists and texts have. */
const METHODS: Record<string, string> = {
  push: 'add with t[#t + 1] = value, or table.insert(t, value)',
  append: 'add with t[#t + 1] = value, or table.insert(t, value)',
  pop: 'take the last with table.remove(t)',
  shift: 'take the first with table.remove(t, 1)',
  length: 'the length is #t',
  size: 'the length is #t',
  map: 'loop: for i, value in ipairs(t) do … end',
  filter: 'loop: for i, value in ipairs(t) do … end',
  forEach: 'loop: for i, value in ipairs(t) do … end',
  reduce: 'loop: for i, value in ipairs(t) do … end',
  join: 'use table.concat(t, ", ")',
  sort: 'use table.sort(t)',
  split: 'loop: for part in text:gmatch("[^,]+") do … end',
  trim: 'use text:match("^%s*(.-)%s*$")',
  replace: 'use text:gsub(pattern, replacement)',
  includes: 'use text:find(part, 1, true)',
  contains: 'use text:find(part, 1, true)',
  startsWith: 'use text:sub(1, #start) == start',
  endsWith: 'use text:sub(-#ending) == ending',
  indexOf: 'use text:find(part, 1, true)',
  toLowerCase: 'use text:lower()',
  toUpperCase: 'use text:upper()',
  toString: 'use tostring(value)',
  substring: 'use text:sub(first, last), counting from 1',
  slice: 'use text:sub(first, last), or table.unpack, counting from 1',
  unpack: 'it is table.unpack in Lua 5.4',
  pow: 'write a ^ b',
  getn: 'the length is #t',
  json: 'results are tables already, and what is returned becomes JSON by itself',
  JSON: 'results are tables already, and what is returned becomes JSON by itself',
  cjson: 'results are tables already, and what is returned becomes JSON by itself',
  fetch: 'the sandbox has no network; use the functions of the servers',
  http: 'the sandbox has no network; use the functions of the servers',
  setTimeout: 'the sandbox has no timers',
  sleep: 'the sandbox has no timers',
  try: 'catch errors with local ok, result = pcall(function() … end)',
  catch: 'catch errors with local ok, result = pcall(function() … end)',
  switch: 'use if … elseif … end',
  new: 'call the function without new',
  import: 'the functions of the servers are there at once',
};

/** Members of the libraries, for suggesting the nearest. */
const LIBRARIES: Record<string, readonly string[]> = {
  string: words('byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper'),
  table: words('concat insert move pack remove sort unpack'),
  math: words(
    'abs ceil cos exp floor fmod log max maxinteger min pi random randomseed sin sqrt tan tointeger type ult',
  ),
  coroutine: words('close create isyieldable resume running status wrap yield'),
  utf8: words('char charpattern codepoint codes len offset'),
  json: words('decode encode'),
  os: words('clock date difftime time'),
  console: words('debug error info log warn'),
};

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** What to change, in a sentence; nothing where the message says it all. */
export function advise(text: string, line: number | undefined, code: string, outline: Outline): string | undefined {
  const shown = line === undefined ? '' : (code.split('\n')[line - 1] ?? '');
  const near = / near (?:'(.*)'|(<eof>))$/s.exec(text);
  if (near) return syntaxAdvice(text, near[1] ?? '<eof>', line ?? 1, shown, code);

  const what = /\((global|local|field|method|upvalue) '([^']*)'\)/.exec(text);
  const name = what?.[2] ?? '';
  if (/^attempt to (call|index) a nil value/.test(text)) {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method) return `There is no ${name} in Lua: ${method}.`;
    const library = libraryAround(outline.tokens, name, line);
    if (library && what?.[1] === 'method' && LIBRARIES[library]!.includes(name)) {
      return `Only texts have ${name}, and here a table stands before the colon: use the field that holds the text.`;
    }
    const nearestMember = library && nearestName(name, LIBRARIES[library]!);
    if (nearestMember) return `There is no ${library}.${name}; did you mean ${library}.${nearestMember}?`;
    if (what?.[1] === 'global') {
      const nearest = nearestKnown(name, outline);
      return `Nothing is called ${name}${nearest ? `; did you mean ${nearest}?` : ': define it first, or use a function of a server.'}`;
    }
    if (/\[\s*0\s*\]/.test(shown)) return 'Lists count from 1 in Lua: the first element is t[1].';
    if (/^attempt to index/.test(text) && name) {
      return `${name} is nil here: look at what holds it with console.log, or guard it with "if ${name} then".`;
    }
    return undefined;
  }
  if (/^attempt to (perform arithmetic on a|add a 'string')/.test(text) && /\+/.test(shown) && /["']/.test(shown)) {
    return 'Texts are joined with .. in Lua, not +.';
  }
  if (/^attempt to perform arithmetic on a nil/.test(text) && name)
    return `${name} is nil here: give it a value first (${name} or 0).`;
  if (/^attempt to concatenate a/.test(text))
    return `Only texts and numbers can be joined: use tostring(${name || 'value'}), or console.log to show a table.`;
  if (/^attempt to compare/.test(text)) return 'Compare values of one kind: tonumber(text) makes a number of a text.';
  if (/^bad argument #1 to 'for iterator'/.test(text) || /for iterator 'for iterator'/.test(text)) {
    return 'Loops over a table need pairs or ipairs: for key, value in pairs(t) do … end.';
  }
  if (/^stack overflow|C stack overflow/.test(text))
    return 'A function calls itself without an end: add the case that stops it, or use a loop.';
  return undefined;
}

function syntaxAdvice(text: string, near: string, line: number, shown: string, code: string): string | undefined {
  if (near === '<eof>') {
    if (/'end' expected/.test(text)) {
      return /\belse\s+if\b/.test(code)
        ? 'An "end" is missing: "else if" opens a second block, write elseif.'
        : 'An "end" is missing: every function, if, for and while needs one.';
    }
    return undefined;
  }
  // The parser often stops one line after the mistake.
  const before = code.split('\n')[line - 2] ?? '';
  for (const candidate of [shown, before]) {
    for (const [token, pattern, advice] of FOREIGN)
      if (token.test(near) && pattern.test(candidate)) return `${advice}.`;
  }
  if (/unfinished string/.test(text)) return 'A text in "…" must end on its line: use [[…]] for several lines, or \\n.';
  return undefined;
}

/** The library whose member a name is written as (`string.uper`), or whose method (`text:uper()`). */
function libraryAround(tokens: readonly Token[], name: string, line: number | undefined): string | undefined {
  for (let i = 2; i < tokens.length; i++) {
    if (tokens[i]!.text !== name || (line !== undefined && tokens[i]!.line !== line)) continue;
    if (tokens[i - 1]!.text === ':') return 'string';
    const before = tokens[i - 2]!.text;
    if (tokens[i - 1]!.text === '.' && Object.hasOwn(LIBRARIES, before)) return before;
  }
  return undefined;
}

/** Whether there is something to say about a global that is called: it is misspelt, or another language's. */
export function isKnownMistake(name: string, called: boolean, outline: Outline): boolean {
  return (called && Object.hasOwn(METHODS, name)) || nearestKnown(name, outline) !== undefined;
}

/** The nearest name among Lua's own and the script's functions, for a name nobody knows. */
function nearestKnown(name: string, outline: Outline): string | undefined {
  return nearestName(name, [...KNOWN, ...outline.functions]);
}

/** Names up to this length are meant only with one change: with two, any of them is near some other. */
const SHORT_NAME_CHARS = 4;

/** The nearest of some names within two changes. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = name.length <= SHORT_NAME_CHARS ? 2 : 3;
  for (const candidate of names) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** Levenshtein distance, a swap of neighbours counting as one. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}

/** The member that follows a global's name in the source, as in `weather.current`: for asking the host about it. */
export function memberAfter(tokens: Token[], name: string, line: number | undefined): string {
  const at = tokens.findIndex(
    (token, i) =>
      token.text === name && (line === undefined || token.line === line) && /^[.:]$/.test(tokens[i + 1]?.text ?? ''),
  );
  const member = at < 0 ? undefined : tokens[at + 2];
  return member?.kind === 'name' ? member.text : '';
}
