import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Run by `run.ts`, which installs what these tests need. One file at a time: each starts a fleet of processes. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['test/e2e/lambda/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
