import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fixtureUpstream, REVISIONS, runSuite } from './suite.ts';

// `npm run conformance`: the official suite against a running gateway, with our fixture server behind it and the prefix
// shim before it. Each revision runs against a fixture of its era. Arguments go to the suite, e.g. `--scenario ping`.

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('../../..');

const [only, ...extra] = process.argv.slice(2);
const wanted = REVISIONS.filter(({ revision }) => only === undefined || only === revision);
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const children: ChildProcess[] = [];
let failed = false;
try {
  for (const { revision, fixture } of wanted) {
    const upstream = await fixtureUpstream(fixture, children);
    process.stdout.write(`\n===== ${revision} =====\n`);
    const baseline = here(`expected-failures-${revision}.yml`);
    if (!(await runSuite(() => startGateway(upstream, revision), revision, baseline, extra))) failed = true;
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Starts the gateway on a free port and gives its URL once the fixture is connected. */
async function startGateway(upstream: object, name: string): Promise<string> {
  const config = join(folder, `${name}.json`);
  const server = { transport: 'http', address: '127.0.0.1:0' };
  writeFileSync(config, JSON.stringify({ server, log: { level: 'info' }, upstream: [upstream] }));
  const child = spawn(process.execPath, [join(root, 'functions', 'mcp-code-mode.js'), '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: root,
  });
  children.push(child);
  let address: string | undefined;
  for await (const line of createInterface(child.stdout!)) {
    const { msg, address: listening, error } = JSON.parse(line) as Record<string, string>;
    if (msg === 'http server listening') address = listening;
    if (msg === 'upstream failed') throw new Error(`the fixture did not connect: ${error}`);
    if (msg === 'upstream connected') break;
  }
  child.stdout!.resume();
  if (address === undefined) throw new Error('the gateway did not start');
  return `${address}/mcp`;
}
