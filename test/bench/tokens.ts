import { viewOfMany } from '../support/many-tools.ts';
import { tokenCosts } from './token-costs.ts';

/** `npm run bench:tokens`: what a model's context pays (o200k), beside listing every tool. */
const SIZES = [13, 50, 100, 250, 500];
const COLUMNS = {
  connect: 'connect',
  searchThenRun: 'search → run',
  byName: 'by name',
  listAll: 'every tool listed',
  direct: 'listed, two direct calls',
} as const;

console.log(['tools'.padEnd(6), ...Object.values(COLUMNS).map((title) => title.padStart(26))].join(''));
for (const size of SIZES) {
  // The filesystem server first: the task is about files.
  const costs = tokenCosts(viewOfMany(size, 'filesystem'));
  const figures = Object.keys(COLUMNS).map((name) => costs[name as keyof typeof COLUMNS].toLocaleString('en'));
  console.log([String(size).padEnd(6), ...figures.map((figure) => figure.padStart(26))].join(''));
}
