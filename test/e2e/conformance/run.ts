import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createPrefixShim } from './prefix-shim.ts';

// `npm run conformance`: the official suite against a running gateway, with our fixture server behind it and the prefix
// shim before it. Each revision runs against a fixture of its era. Arguments go to the suite, e.g. `--scenario ping`.

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('../../..');
const suite = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

/** Each revision with the fixture's transport that speaks it. */
const REVISIONS = [
  { revision: '2025-11-25', fixture: 'stdio' },
  { revision: '2026-07-28', fixture: 'http' },
] as const;

const [only, ...extra] = process.argv.slice(2);
const wanted = REVISIONS.filter(({ revision }) => only === undefined || only === revision);
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const children: ChildProcess[] = [];
let failed = false;
try {
  for (const { revision, fixture } of wanted) {
    const upstream = fixture === 'stdio' ? stdioUpstream() : await httpUpstream();
    const gateway = await startGateway(upstream, revision);
    const shim = createPrefixShim(gateway).listen(0, '127.0.0.1');
    await once(shim, 'listening');
    const url = `http://127.0.0.1:${(shim.address() as AddressInfo).port}/mcp`;
    const baseline = here(`expected-failures-${revision}.yml`);
    process.stdout.write(`\n===== ${revision} =====\n`);
    const code = await run([
      suite,
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      baseline,
      ...extra,
    ]);
    if (code !== 0) failed = true;
    shim.closeAllConnections();
    shim.close();
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

function stdioUpstream(): object {
  return { name: 'fix', transport: 'stdio', command: process.execPath, args: [here('fixture-server.ts'), 'stdio'] };
}

async function httpUpstream(): Promise<object> {
  const child = spawn(process.execPath, [here('fixture-server.ts'), 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { name: 'fix', transport: 'http', url: `http://127.0.0.1:${port}/mcp` };
}

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

async function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: folder });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
