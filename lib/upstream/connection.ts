import { type Client, type PriorDiscovery, ProtocolError, SdkError } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Resolve } from '../config/references.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Log } from '../log.ts';
import type { InboundClient, ListKind, RequestOptions } from './contract.ts';
import { failureOf } from './failure.ts';
import type { UpstreamIdentity } from './identity.ts';
import { createLevelTeller } from './level-teller.ts';
import { listenForChanges } from './listen.ts';
import type { Patience } from './patience.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { tapTransport } from './tap.ts';
import type { OpenTransport } from './transport.ts';
import { createResourceWatch } from './watch-resources.ts';

/** Milliseconds given to a server to take note that its session ends. */
const GOODBYE_MS = 1000;

const HEADER_MISMATCH = -32020;
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

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
  resolve: Resolve;
  log: Log;
  proxy: ProxySettings | undefined;
  npmrc: string | undefined;
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

/** Carries an upstream's question to the client session. */
export type Answer = NonNullable<NonNullable<InboundClient['session']>['answer']>;

export interface Parts {
  client: Client;
  opened: OpenTransport;
  tap: ReturnType<typeof tapTransport>;
  patience: Patience;
  answer: Answer | undefined;
}

/** Makes a connection of a client that has been through its handshake. */
export function establish(settings: ConnectionSettings, { client, opened, tap, patience, answer }: Parts): Connection {
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
  const tellLevel = createLevelTeller(client);
  const watch = era === 'modern' ? createResourceWatch(client) : undefined;

  return {
    era,
    verdict: era === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,

    async request(method, params, { signal, timeoutMs, onProgress, client: inbound, meta, headers }) {
      const uri = String(params['uri']);
      if (watch && /^resources\/(?:un)?subscribe$/.test(method)) {
        try {
          if (method === 'resources/subscribe') await watch.subscribe(uri, timeoutMs);
          else await watch.unsubscribe(uri);
          return {};
        } catch (error) {
          const rpc = error instanceof ProtocolError ? error : undefined;
          const { secrets } = opened;
          throw failureOf(error, { config, era, method, sent: true, rpc, timeoutMs, signal, secrets });
        }
      }
      const declared = era === 'modern' ? inBand(inbound) : undefined;
      const level = session && inbound?.logLevel;
      if (level !== undefined && era === 'legacy') await tellLevel(level);
      const _meta = {
        ...passable(meta),
        ...(declared && { [CAPABILITIES_KEY]: declared }),
        ...(level !== undefined && era === 'modern' && { [LOG_LEVEL_KEY]: level }),
      };
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
        const ended = signal?.aborted || late.signal.aborted;
        if (needsInput(exchange?.result) && !ended) throw unanswered(config.name, error);
        const raw = error instanceof SdkError && String(error.code) === 'INVALID_RESULT' && whole(exchange?.result);
        if (raw) return raw;
        const rpc = exchange?.ended ? undefined : exchange?.error;
        // Which arguments are sent as headers is part of a tool's definition: it has changed.
        if (era === 'modern' && rpc?.code === HEADER_MISMATCH) settings.onListChanged('tools');
        const { secrets } = opened;
        throw failureOf(error, { config, era, method, sent: exchange !== undefined, rpc, timeoutMs, signal, secrets });
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

/** What is declared with a request whose questions come back as they are, for whoever sent it to answer. */
function inBand(client: InboundClient | undefined): JsonObject | undefined {
  if (!client || client.session?.answer) return undefined;
  return client.session && Object.keys(client.capabilities).length === 0 ? undefined : client.capabilities;
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

/** Ends a session, its client and its transport. */
export async function shut(client: Client, opened: OpenTransport): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
  await Promise.race([opened.endSession(), patience]);
  await client.close().catch(() => {});
  await opened.transport.close().catch(() => {});
  opened.dispose();
}
