import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder that `npm ci` of the project clears away. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/aws-lambda-ric', import.meta.url));
const PROGRAM = join('node_modules', 'aws-lambda-ric', 'index.mjs');
const ADDON = join('node_modules', 'aws-lambda-ric', 'rapid-client.node');

/** It compiles curl: a minute on a free core, many on a busy machine. */
const INSTALL_MS = 15 * 60_000;

/** The runtime client's program, compiled when first asked for; or why there can be none here. */
export async function installRuntimeClient(): Promise<{ program: string } | { skipped: string }> {
  const ready = { program: join(FOLDER, PROGRAM) };
  if (existsSync(join(FOLDER, ADDON))) return ready;
  if (process.platform !== 'linux') return { skipped: 'aws-lambda-ric builds on Linux only' };
  for (const tool of ['cmake', 'g++', 'make']) {
    if (!(await works(tool))) return { skipped: `no ${tool}` };
  }
  const making = `${FOLDER}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(fileURLToPath(new URL(name, import.meta.url)), join(making, name));
    }
    await run('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: making,
      timeout: INSTALL_MS,
      maxBuffer: Number.POSITIVE_INFINITY,
      env: { ...process.env, ...headersOfThisNode() },
    });
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(making, FOLDER);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return ready;
}

function works(tool: string): Promise<boolean> {
  return run(tool, ['--version']).then(
    () => true,
    () => false,
  );
}

/** Node's headers from where this node stands, so that node-gyp need not fetch them. */
function headersOfThisNode(): Record<string, string> {
  const home = dirname(dirname(process.execPath));
  return existsSync(join(home, 'include', 'node', 'node.h')) ? { npm_config_nodedir: home } : {};
}
