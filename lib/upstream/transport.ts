import { Readable } from 'node:stream';
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Resolve } from '../config/references.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import type { Log, LogFields } from '../log.ts';
import { ConnectFailure, createHttpFetch } from './http-fetch.ts';
import type { UpstreamIdentity } from './identity.ts';
import { secretsOf } from './mask-secrets.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** First wait before a broken stream is opened again, its growth, and its bound (milliseconds). */
const BACK_OFF = { initialReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1.5, maxReconnectionDelay: 30_000 };

/** A line of a process's stderr is logged up to this many characters. */
const MAX_STDERR_LINE = 500;

/** What has no line break is held back up to this many characters. */
const MAX_STDERR_PIECE = 64 * 1024;

/** Shorter configured values are not masked in a process's stderr: they would hide ordinary words. */
const MIN_SECRET_LENGTH = 6;

export interface TransportServices {
  resolve: Resolve;
  log: Log;
  proxy: ProxySettings | undefined;
  /**
   * The global npmrc of the npm that started us. Below `npm start` the Node first in PATH is the project's own, beside which
   * an `npx` would look for a global npmrc that nobody wrote, and miss the user's registry, proxy and certificates.
   */
  npmrc: string | undefined;
  /** Whether to hold a stream open for what the upstream says unasked (a legacy server's GET). */
  stream: boolean;
}

/** A transport not yet started, and what ends what it holds. */
export interface OpenTransport {
  transport: Transport;
  /** Tells the server that the session is over, where there is one. */
  endSession: () => Promise<void>;
  /** Ends idle sockets, once the transport is closed. */
  dispose: () => void;
  /** Logs what a process said last, where it runs and its handshake took too long. */
  tellLate?: () => void;
  /** Why the stream could not be opened, where the transport itself loses that. */
  cause?: () => unknown;
  /** The secrets it was given, resolved: for masking. */
  secrets: readonly string[];
}

/** npm reads its variables in any case. */
const isGlobalConfig = (name: string) => name.toLowerCase() === 'npm_config_globalconfig';

const nothing = async () => {};

/** Makes the transport that a configuration asks for, its references resolved now. */
export async function openTransport(
  config: UpstreamConfig,
  identity: UpstreamIdentity,
  services: TransportServices,
): Promise<OpenTransport> {
  if (config.transport === 'stdio') return openStdio(config, services);
  const url = new URL(await services.resolve(config.url ?? ''));
  const configured = trimmed(await resolveAll(config.headers, services.resolve));
  const privateOnly = url.protocol === 'http:' && identity.key !== '';
  const { fetch, close } = createHttpFetch({
    url,
    headers: async () => ({ ...configured, ...(await identity.headers()) }),
    privateOnly,
    // What may not leave the private networks is handed to nobody on the way either.
    proxy: privateOnly ? undefined : services.proxy,
  });
  const secrets = await secretsOf([...Object.entries(config.headers), ['', config.url ?? '']], services.resolve);
  if (config.transport === 'sse') {
    let cause: unknown;
    const remembering: typeof fetch = (target, init) =>
      fetch(target, init).catch((error: unknown) => {
        cause = error;
        throw error;
      });
    const transport = new SSEClientTransport(url, { fetch: remembering });
    return { transport, endSession: nothing, dispose: close, cause: () => cause, secrets };
  }
  const transport = new StreamableHTTPClientTransport(url, {
    // Answering for a server that offers no stream keeps the SDK from opening one; resuming an answer is another matter.
    fetch: async (target, init) => {
      const opensStream = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
      return opensStream && !services.stream ? new Response(null, { status: 405 }) : fetch(target, init);
    },
    reconnectionOptions: { ...BACK_OFF, maxRetries: config.max_retries },
  });
  return { transport, endSession: () => transport.terminateSession().catch(() => {}), dispose: close, secrets };
}

async function openStdio(config: UpstreamConfig, { resolve, log, npmrc }: TransportServices): Promise<OpenTransport> {
  const env = await resolveAll(config.env, resolve);
  const args = await Promise.all(config.args.map(resolve));
  const cwd = await resolve(config.working_dir);
  const transport = new StdioClientTransport({
    command: await resolve(config.command ?? ''),
    args,
    env: { ...(npmrc && !Object.keys(env).some(isGlobalConfig) && { npm_config_globalconfig: npmrc }), ...env },
    stderr: 'pipe',
    ...(cwd && { cwd }),
  });
  const texts = [...Object.entries(config.env), ...config.args.map((text) => ['', text] as const)];
  const secrets = await secretsOf(texts, resolve);
  const hidden = [...secrets, ...Object.values(env).filter((value) => value.length >= MIN_SECRET_LENGTH)];
  let lastLine: string | undefined;
  const tell = (line: string) => {
    const masked = hidden
      .reduce((text, secret) => text.replaceAll(secret, '***'), line.trim())
      .slice(0, MAX_STDERR_LINE);
    if (!masked) return;
    lastLine = masked;
    log('debug', 'upstream stderr', { upstream: config.name, line: masked });
  };
  if (transport.stderr instanceof Readable) byLines(transport.stderr, tell);
  const say = (msg: string, fields: LogFields = {}) =>
    log('error', msg, { upstream: config.name, ...fields, lastLine: lastLine ?? '(nothing on stderr)' });
  onUnaskedEnd(transport, (fields) => say('upstream process ended', fields));
  const tellLate = () => transport.pid !== null && say('upstream process does not answer');
  return { transport, endSession: nothing, dispose: () => {}, tellLate, secrets };
}

/** Calls back when the process ends though nobody closed it, its last words read. The SDK keeps the exit code to itself. */
function onUnaskedEnd(transport: StdioClientTransport, tell: (fields: LogFields) => void): void {
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    const child = transport['_process'];
    child?.once('exit', (code: number | null, signal: string | null) => {
      // Closing lets go of the process first.
      if (transport['_process'] !== child) return;
      const fields = code === null ? { signal: signal ?? 'unknown' } : { exitCode: code };
      child.once('close', () => setImmediate(tell, fields));
    });
  };
}

/** Tells whole lines: half of a secret would not be known for one. */
function byLines(stream: Readable, tell: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split(/[\r\n]+/);
    begun = lines.pop() ?? '';
    if (begun.length > MAX_STDERR_PIECE) {
      lines.push(begun);
      begun = '';
    }
    lines.forEach(tell);
  });
  stream.once('close', () => tell(begun));
}

/** A secret from a file ends in a line break. What cannot be a header is refused here, where its value is not told. */
function trimmed(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = value.trim();
      // Latin-1 without control characters is what a header carries (RFC 9110, 5.5).
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
        throw new ConnectFailure(`its header ${name} has a value that HTTP does not allow`, true);
      }
      return [name, text];
    }),
  );
}

async function resolveAll(values: Record<string, string>, resolve: Resolve) {
  const pairs = Object.entries(values).map(async ([name, value]) => [name, await resolve(value)] as const);
  return Object.fromEntries(await Promise.all(pairs));
}
