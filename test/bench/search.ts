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

/** CPU time this process has used, milliseconds: what a busy machine's other work does not blur. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const queries = FUNCTION_QUERIES.map(({ query }, at) => (at % 4 === 3 ? withTypo(query) : query));
const COLUMNS = ['build ms', 'build CPU ms', 'search ms', '99th', 'search CPU ms, mean'];
console.log(
  `${'tools'.padEnd(7)}${COLUMNS.map((title) => title.padStart(21)).join('')}   (medians but for the last two)`,
);
for (const count of [100, 1_000, 10_000]) {
  const tools = viewOfMany(count).functions;
  const builds: number[] = [];
  const buildCpu: number[] = [];
  const searches: number[] = [];
  let searchCpu = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [start, startCpu] = [performance.now(), cpuMs()];
    const index = createFunctionIndex(tools);
    builds.push(performance.now() - start);
    buildCpu.push(cpuMs() - startCpu);
    const before = cpuMs();
    for (const query of queries) {
      const asked = performance.now();
      index.search(query);
      searches.push(performance.now() - asked);
    }
    searchCpu += cpuMs() - before;
  }
  const middle = median(searches);
  const slow = searches[Math.floor(searches.length * 0.99)] ?? 0;
  const figures = [
    median(builds).toFixed(0),
    median(buildCpu).toFixed(0),
    middle.toFixed(2),
    slow.toFixed(2),
    (searchCpu / searches.length).toFixed(2),
  ];
  console.log(`${String(count).padEnd(7)}${figures.map((figure) => figure.padStart(21)).join('')}`);
}
