import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../functions/mcp-code-mode.js', import.meta.url));
const START_MS = 30_000;

/** The gateway as a process of its own. */
export interface GatewayProcess extends AsyncDisposable {
  url: string;
  /** Everything it has logged or printed. */
  log: () => string;
}

/** Starts the command over http on a free port, logging all it can; `env` fills the configuration's references. */
export async function startGateway(yaml: string, env: Record<string, string>): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const config = join(folder, 'config.yaml');
  const logFile = join(folder, 'gateway.log');
  writeFileSync(config, yaml);
  const flags = ['--config', config, '--server-transport', 'http', '--server-address', '127.0.0.1:0'];
  const child = spawn(process.execPath, [COMMAND, ...flags, '--log-level', 'debug', '--log-file', logFile], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      printed += data;
    });
  }
  const log = () => {
    try {
      return readFileSync(logFile, 'utf8') + printed;
    } catch {
      return printed;
    }
  };
  const ended = new Promise((resolve) => child.on('close', resolve));
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  };
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(20)) {
    const address =
      /"msg":"http server listening".*?"address":"([^"]+)"|"address":"([^"]+)".*?"msg":"http server listening"/.exec(
        log(),
      );
    if (address && /upstream connected/.test(log()))
      return { url: `${address[1] ?? address[2]}/mcp`, log, [Symbol.asyncDispose]: stop };
    if (child.exitCode !== null) break;
  }
  const text = log();
  await stop();
  throw new Error(`the gateway did not start: ${text}`);
}
