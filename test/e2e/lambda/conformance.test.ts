import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { fixtureUpstream, REVISIONS, runSuite } from '../conformance/suite.ts';
import { type Cloud, startCloud } from './cloud.ts';

const RUN_MS = 300_000;
const children: ChildProcess[] = [];
const clouds: Cloud[] = [];
afterAll(async () => {
  for (const child of children) child.kill();
  for (const cloud of clouds) await cloud[Symbol.asyncDispose]();
});

it.each(REVISIONS)(
  'the official suite passes for $revision',
  async ({ revision, fixture }) => {
    const upstream = await fixtureUpstream(fixture, children);
    const start = async (origin: string): Promise<string> => {
      const cloud = await startCloud({
        config: {
          // No page of localhost may call a deployment unless it is named.
          server: { allowed_origins: [origin] },
          upstream: [upstream],
        },
        confined: fixture === 'http',
      });
      clouds.push(cloud);
      await cloud.refresh();
      return cloud.url;
    };
    const baseline = fileURLToPath(new URL(`expected-failures-${revision}.yml`, import.meta.url));
    expect(await runSuite(start, revision, baseline)).toBe(true);
  },
  RUN_MS,
);
