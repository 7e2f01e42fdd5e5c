import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { REFERENCE_SERVERS } from '../support/gateway-process.ts';
import { until } from '../support/until.ts';
import { freePort } from '../support/upstreams/start-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'npm-start-'));
let npm: ChildProcess | undefined;
afterEach(() => {
  // What a failed test leaves; a group of no processes is an error.
  try {
    process.kill(-npm!.pid!, 'SIGKILL');
  } catch {}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every process that runs, by id, with its parent; one that only waits to be collected has ended. */
function processes(): Map<number, number> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, , state]) => !state?.startsWith('Z'));
  return new Map(rows.map(([pid, parent]) => [Number(pid), Number(parent)]));
}

/** The processes that stand below another, however deep. */
function below(ancestor: number): number[] {
  const running = processes();
  const children = (pid: number): number[] =>
    [...running].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...children(child)]);
  return children(ancestor);
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  // A shell that waits keeps a SIGINT for itself, because a terminal sends it to every process of the group.
  it.each([
    ['SIGTERM', 'npm', 'sh'],
    ['SIGINT', 'npm', 'bash'],
    ['SIGINT', 'the group', 'sh'],
  ] as const)(
    'ends by %s to %s, below %s, with all it started, in order, and frees its port',
    async (signal, target, shell) => {
      const port = await freePort();
      const file = join(folder, 'config.json');
      const upstream = REFERENCE_SERVERS.filter(({ name }) => name !== 'filesystem');
      writeFileSync(file, JSON.stringify({ server: { transport: 'http' }, log: { level: 'info' }, upstream }));
      npm = spawn('npm', ['start', '--', '--config', file, '--server-address', `127.0.0.1:${port}`], {
        cwd: root,
        env: { ...process.env, npm_config_script_shell: shell },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      let output = '';
      npm.stdout!.on('data', (chunk) => (output += String(chunk)));
      await until(() => output.split('"upstream connected"').length > upstream.length, 30_000);
      const started = below(npm.pid!);
      // The gateway and two servers, below a shell that stays or does not.
      expect(started.length).toBeGreaterThanOrEqual(3);

      process.kill(target === 'npm' ? npm.pid! : -npm.pid!, signal);
      // Its output ends when the last process that writes there has ended.
      await once(npm, 'close');
      await until(() => started.every((pid) => !processes().has(pid)), 30_000);
      expect(output).toContain('"server stopped"');
      const again = createServer().listen(port, '127.0.0.1');
      await once(again, 'listening');
      again.close();
    },
    60_000,
  );
});
