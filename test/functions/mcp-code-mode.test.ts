import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A gateway that only tells how it was started, ends as it is told to, and starts a worker as the real one does. */
const GATEWAY = `import { Worker, isMainThread } from 'node:worker_threads';
import { text } from 'node:stream/consumers';
const [first, second]: string[] = process.argv.slice(2);
if (!isMainThread) console.log('worker started');
else if (first === 'wait') {
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
  console.log('waiting');
} else if (first === 'fail') process.exit(Number(second));
else if (first === 'worker') new Worker(new URL(import.meta.url));
else console.log(JSON.stringify({ node: process.versions.node, args: process.argv.slice(2), cwd: process.cwd(), stdin: await text(process.stdin) }));
`;

/** Makes a Node call itself older, so that the launcher looks for another. */
const OLDER = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process.versions, 'node', { value: '20.1.0' })")}`;

let folder: string;

/** Lays out the launcher with the stand-in gateway below a folder; returns the command's path. */
function install(place: string, withNode = true): string {
  const target = join(folder, place);
  mkdirSync(join(target, 'functions'), { recursive: true });
  for (const name of ['mcp-code-mode.js', 'strip-types.js']) {
    cpSync(join(root, 'functions', name), join(target, 'functions', name));
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  writeFileSync(join(target, 'functions', 'local.ts'), GATEWAY);
  if (withNode) symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  return join(target, 'functions', 'mcp-code-mode.js');
}

function run(command: string[], options: { cwd?: string; input?: string } = {}) {
  return spawnSync(process.execPath, command, { encoding: 'utf8', input: '', ...options });
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'launcher-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the command mcp-code-mode', () => {
  it('runs the gateway with its arguments, input and working folder', () => {
    const { stdout, stderr } = run([install('plain'), '--config', 'x y'], { cwd: folder, input: 'hello' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      node: process.versions.node,
      args: ['--config', 'x y'],
      cwd: folder,
      stdin: 'hello',
    });
  });

  it("runs it in the project's own Node where the machine's is older", () => {
    const { stdout, stderr } = run(['--import', OLDER, install('older'), '--flag'], { cwd: folder, input: 'hello' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      node: expect.stringMatching(/^24\./),
      args: ['--flag'],
      cwd: folder,
      stdin: 'hello',
    });
  });

  it('runs through a symbolic link, as a global installation makes it', () => {
    symlinkSync(install('linked'), join(folder, 'mcp-code-mode'));
    for (const older of [[], ['--import', OLDER]]) {
      expect(JSON.parse(run([...older, join(folder, 'mcp-code-mode'), 'a']).stdout)).toMatchObject({ args: ['a'] });
    }
  });

  it('runs below node_modules, where Node itself strips no types, workers included', () => {
    const command = install('prefix/node_modules/mcp-code-mode');
    for (const older of [[], ['--import', OLDER]]) {
      const { stdout, stderr } = run([...older, command, 'a']);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ args: ['a'] });
      expect(run([...older, command, 'worker'])).toMatchObject({ stdout: 'worker started\n', stderr: '', status: 0 });
    }
  });

  it("ends with the gateway's exit code", () => {
    const command = install('ending');
    for (const older of [[], ['--import', OLDER]]) expect(run([...older, command, 'fail', '3']).status).toBe(3);
  });

  it('passes a signal on and waits for the orderly end', async () => {
    const child = spawn(process.execPath, ['--import', OLDER, install('signal'), 'wait']);
    await new Promise((done) => child.stdout.once('data', done));
    child.kill('SIGTERM');
    expect(await new Promise((done) => child.once('exit', done))).toBe(7);
  });

  it('says what to install where no Node is recent enough', () => {
    const { stdout, stderr, status } = run(['--import', OLDER, install('without', false)]);
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(stderr).toMatch(/^mcp-code-mode: Node 24 is needed and this is Node 20\.1\.0\. Install it from .*\n$/);
  });

  it('starts the real gateway over stdio as a desktop client does, with nothing but the protocol on stdout', () => {
    const config = join(folder, 'desktop.yaml');
    const upstream = join(root, 'test/support/upstreams/stdio-server.ts');
    writeFileSync(
      config,
      JSON.stringify({
        log: { level: 'debug' },
        upstream: [{ name: 'fake', transport: 'stdio', command: process.execPath, args: [upstream, 'noisy'] }],
      }),
    );
    const clientInfo = { name: 'desktop', version: '1' };
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list', params: {} },
    ];
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const command = join(root, 'functions/mcp-code-mode.js');
    const { stdout, stderr, status } = run(['--import', OLDER, command, '--config', config], { cwd: folder, input });
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number });
    expect(answers.map(({ id }) => id).filter((id) => id !== undefined)).toEqual([1, 2]);
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ level: 'INFO', msg: 'server starting' });
  });
});
