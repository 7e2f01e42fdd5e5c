import type { CodeChange } from '../../lib/store/contract.ts';

/** The moment at which the stores' tests begin. */
export const NOW = Date.UTC(2026, 10, 30, 12);

/** A change all of whose texts carry one mark, so that a mixture of two shows. */
export function marked(mark: string): CodeChange {
  return {
    description: `d ${mark}`,
    code: `return ${JSON.stringify(mark)}`,
    entry: `E${mark}`,
    instructions: `i ${mark}\n`,
    user: `u ${mark}`,
  };
}
