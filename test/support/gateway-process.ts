import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command that starts a gateway, and its arguments before those of a test. */
export const LAUNCHER = join(root, 'functions', 'mcp-code-mode.js');

/** The three reference servers, each a process of the version the tests install. */
export const REFERENCE_SERVERS = [
  {
    name: 'everything',
    transport: 'stdio',
    command: process.execPath,
    args: [bin('server-everything', 'dist/index.js')],
  },
  {
    name: 'filesystem',
    alias: 'os',
    transport: 'stdio',
    command: process.execPath,
    args: [bin('server-filesystem', 'dist/index.js'), join(root, 'docs', 'sample')],
  },
  { name: 'memory', transport: 'stdio', command: process.execPath, args: [bin('server-memory', 'dist/index.js')] },
];

function bin(name: string, path: string): string {
  return join(root, 'node_modules', '@modelcontextprotocol', name, path);
}

/** A line of the gateway's log. */
export type LogLine = Record<string, unknown> & { msg: string };

/** A gateway that runs as a process of its own. */
export interface GatewayProcess extends AsyncDisposable {
  /** Where it listens, without a path. */
  address: string;
  url: string;
  lines: LogLine[];
  child: ChildProcess;
  /** Waits for a log line. */
  line(wanted: (line: LogLine) => boolean): Promise<LogLine>;
}

/** Starts a gateway over HTTP (or SSE) on a free port; resolves when it listens. Disposing ends it. */
export async function startGateway(config: object, args: string[] = []): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const file = join(folder, 'config.json');
  const base = { server: { transport: 'http', address: '127.0.0.1:0' }, log: { level: 'debug' } };
  writeFileSync(file, JSON.stringify({ ...base, ...config }));
  const child = spawn(process.execPath, [LAUNCHER, '--config', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: root,
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  createInterface(child.stdout!).on('line', (text) => {
    lines.push(JSON.parse(text) as LogLine);
    for (const look of waiting) look();
  });
  child.on('exit', () => {
    ended = true;
    for (const look of waiting) look();
  });
  const line: GatewayProcess['line'] = (wanted) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.find(wanted);
        if (found) resolve(found);
        else if (ended) reject(new Error(`the gateway ended: ${JSON.stringify(lines.at(-1))}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  const address = String((await line(({ msg }) => msg === 'http server listening')).address);
  return {
    address,
    url: `${address}/mcp`,
    lines,
    child,
    line,
    async [Symbol.asyncDispose]() {
      if (!ended) {
        child.kill();
        await new Promise((resolve) => child.once('exit', resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until all these upstreams are connected. */
export async function connected(gateway: GatewayProcess, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) => gateway.line(({ msg, upstream }) => msg === 'upstream connected' && upstream === name)),
  );
}
