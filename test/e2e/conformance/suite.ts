import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createPrefixShim } from './prefix-shim.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Each revision of the protocol with the fixture's transport that speaks it. */
export const REVISIONS = [
  { revision: '2025-11-25', fixture: 'stdio' },
  { revision: '2026-07-28', fixture: 'http' },
] as const;

/** Our fixture server as an upstream of the gateway; `children` gets the process where one is started. */
export async function fixtureUpstream(fixture: 'stdio' | 'http', children: ChildProcess[]): Promise<object> {
  if (fixture === 'stdio') {
    return { name: 'fix', transport: 'stdio', command: process.execPath, args: [here('fixture-server.ts'), 'stdio'] };
  }
  const child = spawn(process.execPath, [here('fixture-server.ts'), 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { name: 'fix', transport: 'http', url: `http://127.0.0.1:${port}/mcp` };
}

/**
 * Runs the official suite against a gateway with the fixture behind it; true when nothing unexpected failed. `start` gives
 * the gateway's URL and is told the origin that the suite's requests claim to come from.
 */
export async function runSuite(
  start: (origin: string) => Promise<string>,
  revision: string,
  baseline: string,
  extra: string[] = [],
): Promise<boolean> {
  let gateway = '';
  const shim = createPrefixShim(() => gateway).listen(0, '127.0.0.1');
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    await once(shim, 'listening');
    const origin = `http://127.0.0.1:${(shim.address() as AddressInfo).port}`;
    const url = `${origin}/mcp`;
    gateway = await start(origin);
    const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--expected-failures', baseline, ...extra];
    const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: folder });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    shim.closeAllConnections();
    shim.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
