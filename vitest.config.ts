import { defineConfig } from 'vitest/config';

/** Several suites start real processes and workers: two at a time is what a small machine carries. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/lambda/node_modules/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
