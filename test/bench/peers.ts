import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures } from './bench.ts';

/** Exact packages, installed into a folder of the bench's own: none is a dependency of the project. */
const PACKAGES = {
  executor: ['@executor-js/runtime-quickjs@1.5.35', 'effect@4.0.0-beta.59'],
  utcp: [
    '@utcp/code-mode@1.2.12',
    'isolated-vm@5.0.4',
    '@utcp/sdk@1.1.2',
    '@utcp/mcp@1.1.3',
    '@utcp/direct-call@1.0.12',
  ],
};
const INSTALL_MS = 15 * 60_000;
const MEASURE_MS = 5 * 60_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = fileURLToPath(new URL('../../node_modules/.cache/bench-peers', import.meta.url));

/**
 * PATH without the project's own Node: isolated-vm compiles against the machine's Node, whose headers are there, and does
 * not know the newest. Peers then run on that one too.
 */
function machinePath(): string {
  const own = `node_modules${process.platform === 'win32' ? '\\' : '/'}.bin`;
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.includes(own) && !part.includes('node-gyp-bin'))
    .join(delimiter);
}

/** Installs a peer if need be and measures it in a process of its own; says why where that fails. */
export async function measurePeer(name: keyof typeof PACKAGES): Promise<Figures | string> {
  const home = join(folder, name);
  const env = { PATH: machinePath(), HOME: process.env['HOME'] ?? '' };
  try {
    if (!existsSync(join(home, 'node_modules', '.package-lock.json'))) {
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}');
      const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...PACKAGES[name]];
      execFileSync('npm', args, { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_MS });
    }
    copyFileSync(join(here, 'measure.js'), join(home, 'measure.js'));
    copyFileSync(join(here, 'peers', `${name}.js`), join(home, `${name}.js`));
    return await measureIn(home, `${name}.js`, env);
  } catch (error) {
    return String((error as Error).message).split('\n')[0] ?? 'failed';
  }
}

function measureIn(home: string, script: string, env: Record<string, string>): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const child = spawn('node', [script], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), MEASURE_MS);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const line = /^RESULT (.*)$/m.exec(out)?.[1];
      if (!line) return;
      resolve(JSON.parse(line) as Figures);
      // isolated-vm may hang at its end.
      child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('exit', () => {
      clearTimeout(timer);
      reject(new Error(`${script} ended without a result`));
    });
  });
}
