import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { fixtureUpstream, REVISIONS, runSuite } from '../conformance/suite.ts';
import { startCloud } from './cloud.ts';

const RUN_MS = 300_000;
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

it.each(REVISIONS)(
  'the official suite passes for $revision',
  async ({ revision, fixture }) => {
    const upstream = await fixtureUpstream(fixture, children);
    await using cloud = await startCloud({ config: { upstream: [upstream] }, confined: fixture === 'http' });
    await cloud.refresh();
    const baseline = fileURLToPath(new URL(`expected-failures-${revision}.yml`, import.meta.url));
    expect(await runSuite(cloud.url, revision, baseline)).toBe(true);
  },
  RUN_MS,
);
