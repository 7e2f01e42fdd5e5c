import { randomInt } from 'node:crypto';
import { Client, type PriorDiscovery, SdkError, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Log } from '../log.ts';
import type { InboundClient, ListKind, RequestOptions } from './contract.ts';
import { failureOf } from './failure.ts';
import { ConnectFailure } from './http-fetch.ts';
import type { UpstreamIdentity } from './identity.ts';
import { listenForChanges } from './listen.ts';
import { createPatience, type Patience } from './patience.ts';
import { tapTransport } from './tap.ts';
import { type OpenTransport, openTransport } from './transport.ts';
import { causesOf, httpStatusOf, unavailableReason } from './unavailable.ts';
import { NotDelivered } from './upstream-error.ts';

/** Milliseconds given to `server/discover` before a server is taken for one that only knows `initialize`. */
const MAX_PROBE_MS = 10_000;

/** Milliseconds given to a server to take note that its session ends. */
const GOODBYE_MS = 1000;

/** The bounds of first JSON-RPC ids: random, so that an id is not used again by the next connection. */
const MIN_FIRST_ID = 1_000_000;
const MAX_FIRST_ID = 1_000_000_000;

/** JSON-RPC codes by which a server refuses `initialize` because it only speaks the modern era. */
const INITIALIZE_REFUSED = new Set([-32601, -32022]);

const HEADER_MISMATCH = -32020;
const MODERN_VERSION = '2026-07-28';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The longest a Node timer can wait: time is counted here, not by the SDK, because it stops while a user is asked. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Lossless: the result as it came is read from the wire. */
const anything = z.looseObject({});

/** What the SDK learned of a server's era; spares the next connection the question. */
export type Verdict = PriorDiscovery;

export interface ConnectionSettings {
  config: UpstreamConfig;
  identity: UpstreamIdentity;
  /** The client session this connection belongs to, if it is not shared. */
  session: InboundClient | undefined;
  /** How we introduce ourselves. */
  clientInfo: { name: string; version: string };
  resolve: (text: string) => Promise<string>;
  log: Log;
  /** Whether to listen for changed lists. */
  listen: boolean;
  verdict: Verdict | undefined;
  /** Ends a handshake that is still under way. */
  signal: AbortSignal;
  onListChanged: (kind: ListKind) => void;
  /** The connection broke; not called after `close`. */
  onLost: () => void;
}

export interface Connection {
  readonly era: 'modern' | 'legacy';
  readonly verdict: Verdict;
  readonly capabilities: JsonObject;
  /** `timeoutMs` counts from now. Throws `UpstreamError`, `NotDelivered` or another `CodeModeError`. */
  request(
    method: string,
    params: JsonObject,
    options: Pick<RequestOptions, 'signal' | 'onProgress' | 'client' | 'meta'> & {
      timeoutMs: number;
      headers?: Record<string, string>;
    },
  ): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Connects to an upstream: transport, era, handshake. Throws `NotDelivered` with a reason fit for a client. */
export async function openConnection(settings: ConnectionSettings): Promise<Connection> {
  const { config } = settings;
  const deadline = Date.now() + config.connect_timeout_s * 1000;
  let failure: unknown;
  for (const attempt of attemptsFor(settings)) {
    if (settings.signal.aborted || (failure !== undefined && !attempt.after?.(failure))) continue;
    try {
      return await tryToConnect(settings, attempt, deadline);
    } catch (error) {
      failure = error;
    }
  }
  throw new NotDelivered(
    `Server "${config.name}" is not available: ${unavailableReason(failure, config.connect_timeout_s)}.`,
    {
      cause: failure,
    },
  );
}

interface Attempt {
  mode: VersionNegotiationMode;
  prior?: Verdict;
  /** Whether the failure before it leaves hope for this attempt; absent for a first one. */
  after?: (failure: unknown) => boolean;
}

/**
 * HTTP asks for the era first. A process is not asked: the SDK would start a second one to ask, so `initialize` it is
 * unless that is refused. The legacy SSE transport knows one era only.
 */
function attemptsFor({ config, verdict }: ConnectionSettings): Attempt[] {
  if (config.transport === 'sse') return [{ mode: 'legacy' }];
  if (config.transport === 'stdio') {
    if (verdict?.kind === 'modern') return [{ mode: 'legacy', prior: verdict }];
    return [{ mode: 'legacy' }, { mode: { pin: MODERN_VERSION }, after: refusesInitialize }];
  }
  if (verdict) return [{ mode: 'legacy', prior: verdict }];
  return [{ mode: 'auto' }, { mode: 'legacy', after: mayKnowInitialize }];
}

function refusesInitialize(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && INITIALIZE_REFUSED.has(Number(failure.code));
}

/** An old server may fail at a question it does not know; one that is away or refuses us will not answer the other either. */
function mayKnowInitialize(failure: unknown): boolean {
  for (const cause of causesOf(failure)) {
    if (cause instanceof ConnectFailure) return false;
    const status = httpStatusOf(cause);
    if (status === 401 || status === 403) return false;
  }
  return true;
}

async function tryToConnect(settings: ConnectionSettings, attempt: Attempt, deadline: number): Promise<Connection> {
  const { config, identity, session, clientInfo, resolve, log, listen } = settings;
  const opened = await openTransport(config, identity, { resolve, log, stream: listen || session !== undefined });
  const tap = tapTransport(opened.transport);
  const remaining = Math.max(1, deadline - Date.now());
  const client = new Client(clientInfo, {
    capabilities: session?.capabilities ?? {},
    inputRequired: { autoFulfill: session !== undefined },
    versionNegotiation: { mode: attempt.mode, probe: { timeoutMs: Math.min(MAX_PROBE_MS, Math.ceil(remaining / 2)) } },
  });
  Object.assign(client, { _requestMessageId: randomInt(MIN_FIRST_ID, MAX_FIRST_ID) });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const changed = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method);
    if (changed) settings.onListChanged(changed[1] as ListKind);
    session?.session?.notify?.(method, (params ?? {}) as JsonObject);
  };
  const patience = createPatience();
  const answer: Answer | undefined =
    session?.session &&
    ((method, params, signal) => {
      const resume = patience.hold();
      return session.session!.answer(method, params, signal).finally(resume);
    });
  if (answer) {
    client.fallbackRequestHandler = async ({ method, params }, context) =>
      answer(method, (params ?? {}) as JsonObject, context.mcpReq.signal);
  }
  try {
    await bounded(
      client.connect(opened.transport, { timeout: remaining, ...(attempt.prior && { prior: attempt.prior }) }),
      remaining,
      settings.signal,
    );
  } catch (error) {
    await shut(client, opened);
    throw opened.cause?.() ?? error;
  }
  return establish(settings, { client, opened, tap, patience, answer });
}

type Answer = NonNullable<InboundClient['session']>['answer'];

interface Parts {
  client: Client;
  opened: OpenTransport;
  tap: ReturnType<typeof tapTransport>;
  patience: Patience;
  answer: Answer | undefined;
}

function establish(settings: ConnectionSettings, { client, opened, tap, patience, answer }: Parts): Connection {
  const { config, session, listen } = settings;
  const era = client.getProtocolEra() ?? 'legacy';
  const discover = client.getDiscoverResult();
  let closing = false;
  client.onclose = () => {
    if (closing) return;
    closing = true;
    opened.dispose();
    settings.onLost();
  };
  // The SSE transport reconnects by itself, to a session that has never been initialized: a break is the end.
  client.onerror = (error) => {
    if (config.transport === 'sse' && error.message.startsWith('SSE error')) void client.close().catch(() => {});
  };
  if (era === 'modern' && session && answer) answerInBand(client, session.capabilities, answer);
  if (era === 'modern' && listen) void listenForChanges(client, () => closing);

  return {
    era,
    verdict: era === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,

    async request(method, params, { signal, timeoutMs, onProgress, client: inbound, meta, headers }) {
      const declared = era === 'modern' && inbound && !inbound.session ? inbound.capabilities : undefined;
      const _meta = { ...passable(meta), ...(declared && { [CAPABILITIES_KEY]: declared }) };
      const message = { method, params: Object.keys(_meta).length > 0 ? { ...params, _meta } : params };
      const late = new AbortController();
      const stop = patience.start(timeoutMs, () => late.abort('timed out'));
      const { started, exchange, done } = tap.follow(() =>
        client.request(message, anything, {
          timeout: NO_TIMEOUT_MS,
          allowInputRequired: declared !== undefined,
          signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
          ...(onProgress && { onprogress: onProgress }),
          ...(headers && { headers }),
        }),
      );
      let failed = true;
      try {
        const value = await started;
        failed = false;
        // Where the SDK has answered questions on the way, what it watched was the question.
        if (!declared && needsInput(exchange?.result)) return value as JsonObject;
        return whole(exchange?.result) ?? (value as JsonObject);
      } catch (error) {
        if (needsInput(exchange?.result) && !signal?.aborted) throw unanswered(config.name, error);
        const raw = error instanceof SdkError && String(error.code) === 'INVALID_RESULT' && whole(exchange?.result);
        if (raw) return raw;
        const rpc = exchange?.ended ? undefined : exchange?.error;
        // Which arguments are sent as headers is part of a tool's definition: it has changed.
        if (era === 'modern' && rpc?.code === HEADER_MISMATCH) settings.onListChanged('tools');
        throw failureOf(error, { config, era, method, sent: exchange !== undefined, rpc, timeoutMs, signal });
      } finally {
        stop();
        done(failed);
      }
    },

    async close() {
      if (closing) return;
      closing = true;
      await shut(client, opened);
    },
  };
}

/** A modern server's `input_required` is answered by the client session, and the request repeated, by the SDK. */
function answerInBand(client: Client, capabilities: JsonObject, answer: Answer) {
  const methods = {
    elicitation: 'elicitation/create',
    sampling: 'sampling/createMessage',
    roots: 'roots/list',
  } as const;
  for (const [capability, method] of Object.entries(methods)) {
    if (!(capability in capabilities)) continue;
    client.setRequestHandler(method, { params: anything }, async (params, context) =>
      answer(method, params as JsonObject, context.mcpReq.signal),
    );
  }
}

function needsInput(result: unknown): boolean {
  return isJsonObject(result) && result['resultType'] === 'input_required';
}

function unanswered(server: string, cause: unknown): CodeModeError {
  const message = `Server "${server}" asks for input from the user, which could not be given here. The call did not run to its end.`;
  return new CodeModeError('tool_failed', message, { cause });
}

/** `_meta` of the inbound request that may go on: not its progress token, not what speaks of the other connection. */
function passable(meta: JsonObject = {}): JsonObject {
  const own = (key: string) => key === 'progressToken' || key.startsWith('io.modelcontextprotocol/');
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !own(key)));
}

/** The result as it came, less the mark of completeness that only the modern wire has. */
function whole(result: unknown): JsonObject | undefined {
  if (!isJsonObject(result)) return undefined;
  if (result['resultType'] !== 'complete') return result;
  const { resultType: _, ...rest } = result;
  return rest;
}

/** Waits for the handshake no longer than `ms`, and not at all once it is given up. */
async function bounded<T>(work: Promise<T>, ms: number, givenUp: AbortSignal): Promise<T> {
  let stop = () => {};
  const end = new Promise<never>((_, reject) => {
    const late = () => reject(Object.assign(new Error('timed out'), { code: 'REQUEST_TIMEOUT' }));
    const timer = setTimeout(late, ms);
    const giveUp = () => reject(Object.assign(new Error('given up'), { code: 'CONNECTION_CLOSED' }));
    givenUp.addEventListener('abort', giveUp, { once: true });
    if (givenUp.aborted) giveUp();
    stop = () => {
      clearTimeout(timer);
      givenUp.removeEventListener('abort', giveUp);
    };
  });
  return Promise.race([work, end]).finally(stop);
}

async function shut(client: Client, opened: OpenTransport): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
  await Promise.race([opened.endSession(), patience]);
  await client.close().catch(() => {});
  await opened.transport.close().catch(() => {});
  opened.dispose();
}
