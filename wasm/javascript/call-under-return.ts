import type { Node } from 'acorn';
import { parse } from 'acorn';
import { BASE } from './source.ts';

/**
 * Where a call that is returned stands (its parenthesis, as for every other call), by the place of its `return`: the engine
 * makes it a tail call and knows no other place of it. Undefined where no such `return` stands there.
 */
export function callUnderReturn(
  code: string,
  at: { line: number; column: number },
): { line: number; column: number } | undefined {
  const lines = code.split('\n');
  const text = lines[at.line - 1]?.slice(at.column - 1);
  if (!text || !/^return\b/.test(text)) return undefined;
  const start = lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, at.column - 1);
  const call = returned(code, start);
  const open = call && code.indexOf('(', call.callee.end);
  if (open === undefined || open < 0) return undefined;
  const before = code.slice(0, open).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** The call that the `return` at an offset gives back. */
function returned(code: string, start: number): (Node & { callee: Node }) | undefined {
  const open: unknown[] = [parsed(code)];
  // Without recursion: what failed may be a script that nests too deeply.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, start: from, argument } = node as Node & { argument?: Node & { callee?: Node } };
    if (type === 'ReturnStatement' && from === start) {
      return argument?.type === 'CallExpression' ? (argument as Node & { callee: Node }) : undefined;
    }
    for (const child of Object.values(node)) if (typeof child === 'object') open.push(child);
  }
  return undefined;
}

function parsed(code: string): unknown {
  try {
    return parse(code, BASE);
  } catch {
    return undefined;
  }
}
