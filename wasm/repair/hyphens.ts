import type { HostFunction } from '../../lib/sandbox/contract.ts';

/** `everything.get-sum(…)` or `everything__get-sum(…)`: a tool's own name, which every language reads as a subtraction. */
const HYPHENATED = /(?<![\w$.])([A-Za-z_]\w*?)(?:\.|__)(\w+(?:-\w+)+)(?=\s*[({"'])/g;
/** Longest line that is looked at, characters: the time the search takes may grow with the square of it. */
const LONGEST_LINE = 2000;

/**
 * What a line of code meant where the name that is unknown is part of a tool's own name with hyphens: the message that gives
 * the function's name, and the column (from 1) where the mistaken one begins.
 */
export function meantByHyphens(
  line: string,
  unknown: string,
  functions: readonly HostFunction[],
  spelling: 'snake' | 'camel',
): { message: string; column: number } | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  for (const { 0: written, 1: namespace, 2: name, index } of line.matchAll(HYPHENATED)) {
    if (!written.split(/[.-]/).includes(unknown)) continue;
    const meant = functions.find((one) => one.namespace === namespace && squashed(one.snake) === squashed(name!));
    if (!meant) continue;
    const message = `there is no function ${written}: ${written} → ${namespace}.${meant[spelling]}`;
    return { message: `${message} (a hyphen is a minus sign in code)`, column: index + 1 };
  }
  return undefined;
}

/** Letters and digits alone: a tool's name and the function's made of it have these in common. */
function squashed(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
