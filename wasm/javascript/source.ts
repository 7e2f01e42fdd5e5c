import { type Node, type Options, parse, type Program as Tree } from 'acorn';

/** A script as the engine takes it; positions map back to the user's source. */
export interface Source {
  code: string;
  /** Lines the engine's text has above the user's. */
  extraLines: number;
  /** Whether calls at top level are awaited, so that they give promises. */
  async: boolean;
  /** What the value is when no entry is called. */
  value: 'completion' | 'returned' | 'entry call' | 'none';
  /** Name that holds the default export, which counts as `Run`. */
  defaultExport?: string;
  /** Columns to take off in this line from this column on (an `async` was put in). */
  inserted?: { line: number; column: number; length: number };
}

/** A text that is no script. */
export interface SyntaxFault {
  message: string;
  line: number;
  column: number;
}

/** How scripts are parsed. */
export const BASE: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
};
const DEFAULT_EXPORT = '$default';
const NO_MODULES =
  'the sandbox has no modules to import; call the host functions directly (get_functions_description lists them)';

/**
 * Whether a script can go to the engine as it stands: it awaits nothing and does not end by calling its own entry. The
 * engine's refusal (an `export`, a top-level `return` …) leads to `readSource` in the end.
 */
export function isPlain(code: string, entry: string): boolean {
  return !/\bawait\b/.test(code) && !endsWithCall(code, entry);
}

function endsWithCall(code: string, entry: string): boolean {
  const at = code.lastIndexOf(entry);
  return at > 0 && /^\s*\(/.test(code.slice(at + entry.length)) && !/\bfunction\s*\*?\s*$/.test(code.slice(0, at));
}

/** Parses a script and makes what models write into what the engine takes, without moving any of the user's text. */
export function readSource(code: string, entry: string): Source | SyntaxFault {
  const script = tryParse(code, BASE);
  if ('body' in script) return fromTree(code, script, entry);
  const asModule = tryParse(code, { ...BASE, sourceType: 'module' });
  if ('body' in asModule) return fromModule(code, asModule, entry);
  const helped = makeEntryAsync(code, entry, script);
  if (helped) return helped;
  const fault = /^[ \t]*(import|export)\b/m.test(code) ? asModule : script;
  return { ...fault, message: explainFault(code, fault) };
}

function tryParse(code: string, options: Options): Tree | SyntaxFault {
  try {
    return parse(code, options);
  } catch (error) {
    // A RangeError of the parser (nesting too deep) has no place. Lines are counted by us: acorn also ends them elsewhere.
    const { message, pos } = error as { message?: string; pos?: number };
    const text = pos === undefined ? 'the code is nested too deeply' : String(message).replace(/ \(\d+:\d+\)$/, '');
    return { message: text, ...position(code, pos ?? 0) };
  }
}

function fromTree(code: string, tree: Tree, entry: string): Source {
  const { awaits, returns } = topLevel(tree);
  if (returns) {
    const head = awaits ? '(async function () {\n' : '(function () {\n';
    const inside = code.replace(/^#!/, '//');
    return { code: `${head}${inside}\n}).call(globalThis)`, extraLines: 1, async: awaits, value: 'returned' };
  }
  const last = tree.body.at(-1);
  let value: Source['value'] = 'completion';
  if (!last || /Declaration$/.test(last.type)) value = 'none';
  else if (last.type === 'ExpressionStatement' && callsEntry(last.expression, entry) && defines(tree, entry)) {
    value = 'entry call';
  }
  return { code, extraLines: 0, async: awaits, value };
}

/** Blanks `export` words out, so that every line and column stays. */
function fromModule(code: string, tree: Tree, entry: string): Source | SyntaxFault {
  let text = code;
  let defaultExport: string | undefined;
  const put = (start: number, end: number, words: string) => {
    const kept = code.slice(start, end).replace(/[^\n\r]/g, ' ');
    text = text.slice(0, start) + words + kept.slice(words.length) + text.slice(end);
  };
  for (const node of tree.body) {
    const at = () => position(code, node.start);
    if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration')
      return { message: NO_MODULES, ...at() };
    if (node.type === 'ExportNamedDeclaration') {
      if (node.source) return { message: NO_MODULES, ...at() };
      if (node.declaration) put(node.start, node.declaration.start, '');
      else {
        const renamed = node.specifiers.flatMap(({ local, exported }) =>
          local.type === 'Identifier' && exported.type === 'Identifier' && local.name !== exported.name
            ? exported.name === 'default'
              ? [`${DEFAULT_EXPORT}=${local.name}`]
              : [`${exported.name}=${local.name}`]
            : [],
        );
        if (renamed.some((pair) => pair.startsWith(`${DEFAULT_EXPORT}=`))) defaultExport = DEFAULT_EXPORT;
        const words = renamed.length > 0 ? `var ${renamed.join()};` : '';
        put(node.start, node.end, words.length <= node.end - node.start ? words : '');
      }
    } else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      const name = 'id' in declaration && declaration.id ? declaration.id.name : undefined;
      defaultExport = name ?? DEFAULT_EXPORT;
      put(node.start, declaration.start, name ? '' : `var ${DEFAULT_EXPORT}=`);
    }
  }
  const script = tryParse(text, BASE);
  if (!('body' in script)) return script;
  const source = fromTree(text, script, entry);
  return defaultExport ? { ...source, defaultExport } : source;
}

/** `await` inside an entry that is not async: an `async` put before it is plainly what was meant. */
function makeEntryAsync(code: string, entry: string, fault: SyntaxFault): Source | undefined {
  const near = code.split('\n')[fault.line - 1] ?? '';
  if (!/\bawait\b/.test(near)) return undefined;
  const name = entry.replace(/\$/g, '\\$');
  const head = new RegExp(`\\bfunction\\s+${name}\\s*\\(|(?<=\\b${name}\\s*=\\s*)(?:function\\b|\\()`).exec(code);
  if (!head) return undefined;
  const word = 'async ';
  const text = code.slice(0, head.index) + word + code.slice(head.index);
  const tree = tryParse(text, BASE);
  const source = 'body' in tree ? fromTree(text, tree, entry) : readExported(text, entry);
  return source && { ...source, inserted: { ...position(code, head.index), length: word.length } };
}

function readExported(code: string, entry: string): Source | undefined {
  const tree = tryParse(code, { ...BASE, sourceType: 'module' });
  if (!('body' in tree)) return undefined;
  const source = fromModule(code, tree, entry);
  return 'code' in source ? source : undefined;
}

function explainFault(code: string, { message, line }: SyntaxFault): string {
  const text = code.split('\n')[line - 1] ?? '';
  if (/\bawait\b/.test(text)) return `${message}; a function that uses await must be declared async`;
  if (
    /^\s*(interface|type|enum|declare|namespace)\s+\w/.test(text) ||
    /\w\s*:\s*(string|number|boolean|any|unknown)\b/.test(text)
  ) {
    return `${message}; this looks like TypeScript: pass language "typescript"`;
  }
  if (/^\s*(def|import .* from|func|local|package)\b/.test(text)) return `${message}; is this another language?`;
  return message;
}

/** Names of the functions a script defines at its top level, for the message of `entry_not_found`. */
export function definedFunctions(code: string): string[] {
  const tree = tryParse(code, BASE);
  if (!('body' in tree)) return [];
  return tree.body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [node.id.name];
    if (node.type !== 'VariableDeclaration') return [];
    return node.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && /Function/.test(init.type) ? [id.name] : [],
    );
  });
}

function defines(tree: Tree, entry: string): boolean {
  return tree.body.some(
    (node) =>
      (node.type === 'FunctionDeclaration' && node.id.name === entry) ||
      (node.type === 'VariableDeclaration' &&
        node.declarations.some(({ id }) => id.type === 'Identifier' && id.name === entry)),
  );
}

/** `Run()`, `await Run(params)`, `Run().then(…)`, `console.log(Run())`. */
function callsEntry(node: Node, entry: string): boolean {
  const found = node as Node & {
    argument?: Node;
    callee?: Node & { name?: string; object?: Node };
    arguments?: Node[];
  };
  if (found.type === 'AwaitExpression' || found.type === 'UnaryExpression') return callsEntry(found.argument!, entry);
  if (found.type !== 'CallExpression') return false;
  if (found.callee?.type === 'Identifier' && found.callee.name === entry) return true;
  return found.callee?.type === 'MemberExpression' && callsEntry(found.callee.object!, entry);
}

/** Whether `await` and `return` stand outside every function. */
function topLevel(tree: Tree): { awaits: boolean; returns: boolean } {
  const found = { awaits: false, returns: false };
  const visit = (node: Node) => {
    if (/Function/.test(node.type) || node.type === 'StaticBlock') return;
    if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && (node as { await?: boolean }).await)) {
      found.awaits = true;
    }
    if (node.type === 'ReturnStatement') found.returns = true;
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const item of child) visitMaybe(item);
      else visitMaybe(child);
    }
  };
  const visitMaybe = (value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
      visit(value as Node);
  };
  visit(tree);
  return found;
}

function position(code: string, offset: number): { line: number; column: number } {
  const before = code.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
