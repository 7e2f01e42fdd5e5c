import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAddress } from '../lib/config/address.ts';
import { answerFlag, problemsText } from '../lib/config/answer-flag.ts';
import { ConfigError, type LoadedConfig, loadConfig } from '../lib/config/load.ts';
import { createLog, type Log } from '../lib/log.ts';
import { createEntry } from '../lib/server/entry.ts';
import { createGateway } from '../lib/server/http.ts';
import { createSseService } from '../lib/server/legacy-sse.ts';
import { refuseByOrigin } from '../lib/server/origin.ts';
import { readyDirectory } from '../lib/store/ready-directory.ts';
import type { Composed } from './compose.ts';
import { composeLocal } from './compose-local.ts';
import { createHttpServer, type Handlers } from './node-http.ts';

/** Requests under way get this long to finish when the process is asked to end, milliseconds. */
const GRACE_MS = 5000;

/** The refusal of a transport on which nobody is identified, where `auth.require` wants everybody to be. */
const NOBODY_OVER_SSE = 'Unauthorized: this server requires a signed-in user, and SSE has none: use /mcp with a token';

/** Levels of the log at which a warning is in it. */
const WARNS = new Set<string | undefined>(['debug', 'info', 'warn']);

/** What can be wrong with an address, by the system's code, in words. */
const BIND_PROBLEMS: Record<string, string> = {
  EADDRINUSE:
    'address already in use: another process listens there; stop it, or choose another port with --server-address',
  EADDRNOTAVAIL: 'this machine has no such address; choose one of its own, or ":PORT" for all, with --server-address',
  ENOTFOUND: 'the host name is unknown; choose an address of this machine with --server-address',
  EACCES: 'no permission for this port; choose one above 1023 with --server-address',
};

const argv = process.argv.slice(2);
const sources = { argv, env: process.env, cwd: process.cwd() };
const flag = answerFlag(sources);
if (flag) {
  (flag.exitCode === 0 ? process.stdout : process.stderr).write(flag.text);
  process.exitCode = flag.exitCode;
} else {
  await run();
}

async function run(): Promise<void> {
  let loaded: LoadedConfig;
  let log: Log;
  try {
    loaded = loadConfig(sources);
    const { log: wanted, server } = loaded.config;
    log = createLog({ ...wanted, stdio: server.transport === 'stdio' });
    if (loaded.config.store.dir) readyDirectory(loaded.config.store.dir);
  } catch (error) {
    fail(error instanceof ConfigError ? problemsText(error) : `error: ${(error as Error).message}\n`);
    return;
  }
  const { config, warnings, risks } = loaded;
  const { name, version, transport, address } = config.server;
  log('info', 'server starting', {
    name,
    version,
    transport,
    address: transport === 'stdio' ? undefined : address,
    languages: config.languages.join(','),
    upstreams: config.upstream.length,
    logLevel: config.log.level ?? 'off',
    logFile: config.log.file,
  });
  for (const warning of warnings) log('warn', warning);
  if (!WARNS.has(config.log.level)) for (const risk of risks) process.stderr.write(`warning: ${risk}\n`);
  // A stray rejection of one upstream's library must not end everybody's gateway.
  process.on('unhandledRejection', (reason) => {
    log('error', 'unhandled rejection', { error: reason instanceof Error ? reason.name : typeof reason });
  });

  const composed = composeLocal(loaded, log);
  if (transport === 'stdio') await runStdio(composed, log);
  else await runHttp(composed, log);
}

async function runStdio(composed: Composed, log: Log): Promise<void> {
  const { serveOverStdio } = await import('../lib/server/stdio.ts');
  composed.registry.start();
  const service = serveOverStdio(composed.services, process.stdin, process.stdout);
  log('info', 'server ready');
  warm(composed);
  onStopSignal(() => void service.close());
  await service.ended;
  await end(composed, log);
}

async function runHttp(composed: Composed, log: Log): Promise<void> {
  const { config } = composed.services;
  const { address, transport } = config.server;
  const stopped = new Promise<void>((resolve) => onStopSignal(resolve));
  const gateway = createGateway(composed.services);
  const fetch = createEntry(gateway, composed.identify, config.auth, log);
  const sse = transport === 'sse' ? await sseHandler(composed) : undefined;
  const server = createHttpServer({ fetch, ...(sse && { raw: sse.raw }) }, log);
  try {
    await listen(server, address);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const reason = BIND_PROBLEMS[code] ?? (error as Error).message;
    log('error', 'http server bind failed', { address, error: reason });
    fail(`error: cannot listen on ${address}: ${reason}\n`);
    await composed.close();
    return;
  }
  const { address: host, port, family } = server.address() as AddressInfo;
  const shown = `http://${family === 'IPv6' ? (host === '::' ? 'localhost' : `[${host}]`) : host}:${port}`;
  log('info', 'http server listening', { address: shown, path: transport === 'sse' ? '/sse' : '/mcp' });
  composed.registry.start();
  log('info', 'server ready');
  warm(composed);
  // Where the log is off, this line is all that tells that it serves.
  const silent = (config.log.level ?? 'off') === 'off';
  if (silent || process.stderr.isTTY)
    process.stderr.write(`MCP Code Mode: listening on ${shown}${transport === 'sse' ? '/sse' : '/mcp'}\n`);

  await stopped;
  await sse?.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
  server.closeAllConnections();
  await end(composed, log);
}

/** Readies interpreters while nobody waits, so that the first script does not pay for it. */
function warm({ services }: Composed): void {
  services
    .sandbox()
    .then(async (sandbox) => {
      // One after the other: the first to be ready, which most scripts are written in, should not wait for the slowest.
      for (const language of services.config.languages) await sandbox.warm([language]);
    })
    .catch((error: Error) => services.log('error', 'sandbox not ready', { error: error.name }));
}

/** Legacy SSE beside the rest: its transport writes to Node's own response. */
async function sseHandler({
  services,
}: Composed): Promise<{ raw: NonNullable<Handlers['raw']>; close(): Promise<void> }> {
  const sse = await createSseService(services);
  return {
    close: () => sse.close(),
    async raw(incoming, outgoing, request) {
      const { pathname, searchParams } = new URL(request.url);
      const opens = incoming.method === 'GET' && pathname === '/sse';
      if (!opens && !(incoming.method === 'POST' && pathname === '/messages')) return false;
      if (refuseByOrigin(request, services)) {
        outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('Forbidden: this Origin or Host is not allowed');
      } else if (services.config.auth?.require) {
        outgoing.writeHead(401, { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' }).end(NOBODY_OVER_SSE);
      } else if (opens) await sse.open(outgoing);
      else await sse.post(incoming, outgoing, searchParams.get('sessionId') ?? '');
      return true;
    },
  };
}

function listen(server: Server, text: string): Promise<void> {
  const { host, port } = parseAddress(text)!;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function onStopSignal(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}

async function end(composed: Composed, log: Log): Promise<void> {
  await Promise.race([composed.close(), new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())]);
  log('info', 'server stopped');
  // What was written last may still be on its way out of the process.
  await new Promise<void>((resolve) => {
    process.stdout.once('error', () => resolve()).write('', () => resolve());
  });
  process.exit();
}

function fail(text: string): void {
  process.stderr.write(text);
  process.exitCode = 1;
}
