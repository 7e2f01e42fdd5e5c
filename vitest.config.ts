import { defineConfig } from 'vitest/config';

/** Several suites start real processes and workers: two at a time is what a small machine carries. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What needs Lambda's runtime client has a run of its own: `npm run e2e:lambda`.
    exclude: ['test/e2e/lambda/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
