import type { Tool } from '../../lib/tool.ts';
import type { GradedQuery } from './function-queries.ts';

/** How good a ranking is over a set of graded queries, each figure in [0,1]. */
export interface Quality {
  /** Share of the best answers among the first five. */
  recallAt5: number;
  /** Mean of 1/rank of the first best answer. */
  mrr: number;
  /** Both grades, best counting two. */
  ndcgAt10: number;
}

/** Measures a search; `nameOf` gives the name the grades use. */
export function qualityOf(
  queries: readonly GradedQuery[],
  search: (query: string) => Tool[],
  nameOf: (tool: Tool) => string,
): Quality {
  const each = queries.map(({ query, best, also = [] }) => {
    const names = search(query).map(nameOf);
    const first = names.findIndex((name) => best.includes(name));
    const gain = (name: string) => (best.includes(name) ? 3 : also.includes(name) ? 1 : 0);
    const dcg = (gains: number[]) => gains.slice(0, 10).reduce((sum, one, at) => sum + one / Math.log2(at + 2), 0);
    const ideal = dcg([...best.map(() => 3), ...also.map(() => 1)]);
    return {
      recallAt5: best.filter((name) => names.slice(0, 5).includes(name)).length / best.length,
      mrr: first < 0 ? 0 : 1 / (first + 1),
      ndcgAt10: dcg(names.map(gain)) / ideal,
    };
  });
  const mean = (key: keyof Quality) => each.reduce((sum, one) => sum + one[key], 0) / each.length;
  return { recallAt5: mean('recallAt5'), mrr: mean('mrr'), ndcgAt10: mean('ndcgAt10') };
}
