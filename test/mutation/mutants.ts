import { stripTypeScriptTypes } from 'node:module';
import { type Node as AcornNode, parse } from 'acorn';

/** One small change to a source file that its tests should notice. */
export interface Mutant {
  line: number;
  before: string;
  after: string;
  /** The whole file, as JavaScript, with the change in it. */
  code: string;
}

/** A node of the syntax tree, read loosely. */
interface Node extends AcornNode {
  // biome-ignore lint/suspicious/noExplicitAny: the fields differ with every type of node.
  [field: string]: any;
}

type Change = [start: number, end: number, text: string];

const SWAPPED: Record<string, string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '**': ['*'],
  '/': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  some: ['every'],
  every: ['some'],
  startsWith: ['endsWith'],
  endsWith: ['startsWith'],
  find: ['findLast'],
  flatMap: ['map'],
  ceil: ['floor'],
  floor: ['ceil'],
  min: ['max'],
  max: ['min'],
};

/** Methods whose call may be left out: `list.filter(…)` becomes `list`. */
const OMITTED = ['filter', 'sort', 'slice', 'trim', 'toSorted', 'isWellFormed', 'catch', 'map', 'unref'];

/** Every mutant of a TypeScript source. */
export function mutantsOf(source: string): Mutant[] {
  const code = stripTypeScriptTypes(source, { mode: 'strip' });
  const changes: Change[] = [];
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as Node, undefined, (node, parent) => {
    if (!isImport(node) && !(parent && isImport(parent))) changes.push(...changesOf(node, parent, code));
  });
  const seen = new Set<string>();
  return changes
    .map(([start, end, text]) => ({
      line: code.slice(0, start).split('\n').length,
      before: code.slice(start, end),
      after: text,
      code: code.slice(0, start) + text + code.slice(end),
    }))
    .filter((mutant) => mutant.code !== code && !seen.has(mutant.code) && seen.add(mutant.code));
}

function isImport(node: Node): boolean {
  return node.type === 'ImportDeclaration';
}

function visit(node: Node, parent: Node | undefined, see: (node: Node, parent: Node | undefined) => void): void {
  see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child as Node, node, see);
    }
  }
}

function changesOf(node: Node, parent: Node | undefined, code: string): Change[] {
  const { start, end } = node;
  const to = (...texts: string[]): Change[] => texts.map((text) => [start, end, text]);
  const textOf = (part: Node) => code.slice(part.start, part.end);
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return ['true', 'false'].map((text): Change => [node.test.start, node.test.end, text]);
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const at = code.indexOf(node.operator, node.left.end);
      const swapped = (SWAPPED[node.operator] ?? []).map((text): Change => [at, at + node.operator.length, text]);
      // Brackets, for "??" may not stand beside "&&" without.
      if (node.operator === '??') return to(`(${textOf(node.left)})`, `(${textOf(node.right)})`);
      return node.type === 'LogicalExpression' ? [...swapped, ...to(textOf(node.left), textOf(node.right))] : swapped;
    }
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? to(textOf(node.argument)) : [];
    case 'Literal':
      return literalChanges(node, parent, to);
    case 'TemplateLiteral':
      return to('``');
    case 'Identifier':
      return parent?.type === 'MemberExpression' && parent.property === node ? to(...(SWAPPED[node.name] ?? [])) : [];
    case 'CallExpression':
      return callChanges(node, to, textOf);
    case 'ChainExpression':
      return to(textOf(node.expression).replace('?.', '.'));
    case 'ReturnStatement':
      return node.argument ? to('return undefined;') : [];
    case 'ExpressionStatement':
      return to(';');
    case 'ThrowStatement':
      return to(';');
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement'
        ? [[node.body.start, node.body.end, '{}']]
        : [[node.body.start, node.body.end, 'undefined']];
    case 'FunctionDeclaration':
      return [[node.body.start, node.body.end, '{}']];
    case 'SwitchCase':
      return node.test ? [[node.test.start, node.test.end, '"no such case"']] : [];
    case 'ArrayExpression':
      return node.elements.map((element: Node): Change => [element.start, afterComma(element, code), '']);
    case 'ObjectExpression':
      return node.properties.map((property: Node): Change => [property.start, afterComma(property, code), '']);
    default:
      return [];
  }
}

function literalChanges(node: Node, parent: Node | undefined, to: (...texts: string[]) => Change[]): Change[] {
  const { value } = node;
  if (parent?.type === 'Property' && parent.key === node) return [];
  if (typeof value === 'boolean') return to(String(!value));
  if (typeof value === 'number') return to(String(value + 1), String(value - 1));
  if (typeof value === 'string') return to(value === '' ? '"mutant"' : '""');
  if (node.regex) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string };
    const patterns = [
      pattern.replace(/^\^/, ''),
      pattern.replace(/\$$/, ''),
      pattern.replaceAll('+', ''),
      pattern.replaceAll('*', ''),
      pattern.replaceAll('?', ''),
    ];
    const changed = patterns.filter((text) => text !== pattern).map((text) => `/${text}/${flags}`);
    return to(...changed, ...(flags ? [`/${pattern}/`] : []), '/$^/');
  }
  return [];
}

function callChanges(node: Node, to: (...texts: string[]) => Change[], textOf: (part: Node) => string): Change[] {
  const { callee } = node;
  if (callee.type !== 'MemberExpression') return [];
  if (textOf(callee) === 'Object.freeze') return to(textOf(node.arguments[0]));
  return OMITTED.includes(callee.property.name) ? to(textOf(callee.object)) : [];
}

function afterComma(node: Node, code: string): number {
  return node.end + (/^\s*,/.exec(code.slice(node.end))?.[0].length ?? 0);
}
