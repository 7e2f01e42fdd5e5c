import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { Resolve } from '../config/references.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Log } from '../log.ts';
import type { ToolDefinition, ToolResult } from '../tool.ts';
import type { Connection, Verdict } from './connection.ts';
import { createConnectionPool, MAX_CONNECTIONS, SESSION_MARK } from './connection-pool.ts';
import type { InboundClient, ListKind, RequestOptions, Upstream } from './contract.ts';
import { identityAt, type Mint, type UpstreamIdentity } from './identity.ts';
import { listPages } from './list-pages.ts';
import { paramHeaders } from './param-headers.ts';
import { maySendSecrets } from './private-address.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { unavailableReason } from './unavailable.ts';
import { NotDelivered } from './upstream-error.ts';

/** Milliseconds after which a server found to be of the legacy era is asked again: it may have been upgraded. */
const LEGACY_VERDICT_MS = 60 * 60_000;

/** Verdicts kept, one a connection key. */
const MAX_VERDICTS = 1000;

export interface UpstreamServices {
  resolve: Resolve;
  log: Log;
  /** For `forward_auth: minted`. */
  mint?: Mint | undefined;
  /** Proxies between us and upstreams over HTTP. */
  proxy?: ProxySettings | undefined;
  /** See `TransportServices`. */
  npmrc?: string | undefined;
  /** Processes kept of one stdio server, where fewer than elsewhere have room. */
  maxProcesses?: number | undefined;
  /** How we introduce ourselves. */
  clientInfo?: { name: string; version: string };
}

/** Whom a connection belongs to. */
interface Owner {
  key: string;
  identity: UpstreamIdentity;
  session: InboundClient | undefined;
}

/**
 * Makes the upstream of a configuration entry; nothing connects before the first request. Requests of callers with
 * different forwarded identities never share a connection. A request that was surely not carried out is repeated once on a
 * new connection; one that may have been is not.
 */
export function createUpstream(config: UpstreamConfig, services: UpstreamServices): Upstream {
  const { resolve, log, mint, proxy, npmrc, maxProcesses = MAX_CONNECTIONS.stdio } = services;
  const { clientInfo = { name: 'mcp-code-mode', version: '0.1.0' } } = services;
  const listChanged = new Set<(kind: ListKind) => void>();
  const lost = new Set<() => void>();
  const verdicts = new Map<string, { verdict: Verdict; at: number }>();
  let warnedPlain = false;
  let closed = false;

  const most = MAX_CONNECTIONS[config.transport];
  const pool = createConnectionPool(config.transport === 'stdio' ? Math.min(maxProcesses, most) : most);

  async function open(owner: Owner, forget: () => void, signal: AbortSignal): Promise<Connection> {
    const { key, identity, session } = owner;
    const { openConnection } = await import('./open-connection.ts');
    const connection = await openConnection({
      config,
      identity,
      session,
      clientInfo,
      resolve,
      log,
      proxy,
      npmrc,
      listen: key === '' && listChanged.size > 0,
      verdict: verdictOf(key),
      signal,
      onListChanged: (kind) => {
        for (const listener of listChanged) listener(kind);
      },
      onLost: () => {
        forget();
        if (key === '') for (const listener of lost) listener();
      },
    });
    keepVerdict(key, connection.verdict);
    return connection;
  }

  function verdictOf(key: string): Verdict | undefined {
    const kept = verdicts.get(key);
    if (kept?.verdict.kind === 'legacy' && Date.now() - kept.at > LEGACY_VERDICT_MS) return undefined;
    return kept?.verdict;
  }

  function keepVerdict(key: string, verdict: Verdict) {
    verdicts.delete(key);
    verdicts.set(key, { verdict, at: Date.now() });
    for (const oldest of verdicts.keys()) {
      if (verdicts.size <= MAX_VERDICTS) break;
      verdicts.delete(oldest);
    }
  }

  /** Who asks, as the upstream will see it. */
  async function identify(caller: Caller): Promise<UpstreamIdentity> {
    if (config.transport === 'stdio') return identityAt(config, '', caller);
    const { text, parsed } = await addressOf(config, resolve);
    const identity = identityAt(config, text, caller, mint);
    if (identity.key === '' || (await maySendSecrets(parsed))) return identity;
    if (!warnedPlain)
      log('warn', 'upstream identity withheld: plain http to a public address', { upstream: config.name });
    warnedPlain = true;
    return identityAt({ ...config, forward_auth: 'none' }, text, caller);
  }

  async function exchange<T>(
    options: RequestOptions,
    act: (connection: Connection, msLeft: number) => Promise<T>,
  ): Promise<T> {
    if (closed)
      throw new CodeModeError('upstream_unavailable', `Server "${config.name}" is closed: the gateway is stopping.`);
    const timeoutMs = boundOf(config, options.timeoutMs);
    const deadline = Date.now() + timeoutMs;
    const identity = await identify(options.caller);
    const session = options.client?.session ? options.client : undefined;
    const key = session ? `${identity.key}${SESSION_MARK}${sessionKey(session.session?.id)}` : identity.key;
    for (let attempt = 1; ; attempt++) {
      const known = verdicts.has(key);
      const lease = pool.lend(key, (forget, opening) => open({ key, identity, session }, forget, opening));
      try {
        const connection = await patiently(lease.connection, deadline, options.signal);
        return await act(connection, Math.max(1, deadline - Date.now()));
      } catch (error) {
        if (!(error instanceof NotDelivered)) throw error;
        verdicts.delete(key);
        lease.discard();
        if (attempt > 1 || !(lease.reused || known)) {
          for (const listener of lost) listener();
          throw error;
        }
      } finally {
        lease.release();
      }
    }
  }

  /** Waits for a connection no longer than the request may; the connection itself goes on opening for the next one. */
  async function patiently(opening: Promise<Connection>, deadline: number, signal?: AbortSignal): Promise<Connection> {
    let stop = () => {};
    const impatience = new Promise<never>((_, reject) => {
      const late = () =>
        reject(
          new CodeModeError(
            'call_timeout',
            `Server "${config.name}" did not connect in time. The request was not carried out.`,
          ),
        );
      const cancel = () =>
        reject(new CodeModeError('cancelled', `The request to server "${config.name}" was cancelled.`));
      const timer = setTimeout(late, Math.max(0, deadline - Date.now()));
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
    });
    return Promise.race([opening, impatience]).finally(stop);
  }

  const request: Upstream['request'] = (method, params, options) =>
    exchange(options, (connection, timeoutMs) => connection.request(method, params, { ...options, timeoutMs }));

  return {
    name: config.name,
    request,

    async listTools(options) {
      const deadline = Date.now() + (options.timeoutMs ?? config.connect_timeout_s * 1000);
      const page = (params: JsonObject) =>
        request('tools/list', params, { ...options, timeoutMs: Math.max(1, deadline - Date.now()) });
      const warn = options.onWarning;
      const tools = await listPages(page, 'tools', warn);
      const named = tools.filter((tool) => typeof tool['name'] === 'string' && tool['name'] !== '');
      if (named.length < tools.length)
        warn?.(`${tools.length - named.length} of its tools have no name and were left out.`);
      return named.map(
        (tool) => ({ ...tool, inputSchema: tool['inputSchema'] ?? { type: 'object' } }) as ToolDefinition,
      );
    },

    async callTool({ name, arguments: args, definition, inputResponses, requestState }, options) {
      const params: JsonObject = {
        name,
        arguments: args,
        ...(inputResponses && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      };
      const result = await exchange(options, (connection, timeoutMs) => {
        const headers = connection.era === 'modern' && definition ? paramHeaders(definition.inputSchema, args) : {};
        return connection.request('tools/call', params, { ...options, timeoutMs, headers });
      });
      return result as ToolResult;
    },

    capabilities: (options) => exchange(options, async (connection) => connection.capabilities),

    onListChanged(listener) {
      listChanged.add(listener);
      return () => listChanged.delete(listener);
    },

    onLost(listener) {
      lost.add(listener);
      return () => lost.delete(listener);
    },

    endSession: (id) => pool.end((key) => key.endsWith(SESSION_MARK + sessionKey(id))),

    async close() {
      closed = true;
      await pool.close();
    },
  };
}

/** The upstream's address, as configured with its references resolved, and parsed. */
async function addressOf(config: UpstreamConfig, resolve: Resolve) {
  try {
    const text = await resolve(config.url ?? '');
    return { text, parsed: new URL(text) };
  } catch (error) {
    const reason = unavailableReason(error, config);
    throw new NotDelivered(`Server "${config.name}" is not available: ${reason}.`, { cause: error });
  }
}

/** For http `connect_timeout_s` bounds each request too (CONTRACT); without a bound of its own a request has that. */
function boundOf(config: UpstreamConfig, timeoutMs: number | undefined): number {
  const connectMs = config.connect_timeout_s * 1000;
  if (timeoutMs === undefined) return connectMs;
  return config.transport === 'http' ? Math.min(timeoutMs, connectMs) : timeoutMs;
}

function sessionKey(id = ''): string {
  return createHash('sha256').update(id).digest('hex');
}
