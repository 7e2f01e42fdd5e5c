import { performance } from 'node:perf_hooks';
import { createFunctionIndex } from '../../lib/search/function-index.ts';
import { FUNCTION_QUERIES } from '../search/function-queries.ts';
import { viewOfMany } from '../support/many-tools.ts';

/** `npm run bench:search`: build and search times over growing registries; every fourth query carries a typo. */
const ROUNDS = 5;

function median(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function withTypo(query: string): string {
  const longest = query.split(' ').reduce((one, other) => (other.length > one.length ? other : one));
  return query.replace(longest, longest.slice(0, 2) + longest.slice(3));
}

const queries = FUNCTION_QUERIES.map(({ query }, at) => (at % 4 === 3 ? withTypo(query) : query));
console.log('tools   build ms (median)   search ms (median)   search ms (99th)');
for (const count of [100, 1_000, 10_000]) {
  const tools = viewOfMany(count).functions;
  const builds: number[] = [];
  const searches: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const index = createFunctionIndex(tools);
    builds.push(performance.now() - start);
    for (const query of queries) {
      const before = performance.now();
      index.search(query);
      searches.push(performance.now() - before);
    }
  }
  const build = median(builds).toFixed(0).padStart(8);
  const middle = median(searches).toFixed(2).padStart(20);
  const slow = (searches[Math.floor(searches.length * 0.99)] ?? 0).toFixed(2).padStart(19);
  console.log(`${String(count).padEnd(7)}${build}${middle}${slow}`);
}
