import { randomInt } from 'node:crypto';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { JsonObject } from '../json.ts';
import { type Answer, type Connection, type ConnectionSettings, establish, shut, type Verdict } from './connection.ts';
import type { ListKind } from './contract.ts';
import { ConnectFailure } from './http-fetch.ts';
import { createPatience } from './patience.ts';
import { tapTransport } from './tap.ts';
import { openTransport } from './transport.ts';
import { causesOf, httpStatusOf, unavailableReason } from './unavailable.ts';
import { NotDelivered } from './upstream-error.ts';

/** Milliseconds given to `server/discover` before a server is taken for one that only knows `initialize`. */
const MAX_PROBE_MS = 10_000;

/** The bounds of first JSON-RPC ids: random, so that an id is not used again by the next connection. */
const MIN_FIRST_ID = 1_000_000;
const MAX_FIRST_ID = 1_000_000_000;

/** JSON-RPC codes by which a server refuses `initialize` because it only speaks the modern era. */
const INITIALIZE_REFUSED = new Set([-32601, -32022]);

const MODERN_VERSION = '2026-07-28';

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
  throw new NotDelivered(`Server "${config.name}" is not available: ${unavailableReason(failure, config)}.`, {
    cause: failure,
  });
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
  const { config, identity, session, clientInfo, resolve, log, proxy, npmrc, listen } = settings;
  const opened = await openTransport(config, identity, {
    resolve,
    log,
    proxy,
    npmrc,
    stream: listen || session !== undefined,
  });
  const tap = tapTransport(opened.transport);
  const remaining = Math.max(1, deadline - Date.now());
  const client = new Client(clientInfo, {
    capabilities: session?.session?.answer ? session.capabilities : {},
    inputRequired: { autoFulfill: session?.session?.answer !== undefined },
    versionNegotiation: { mode: attempt.mode, probe: { timeoutMs: Math.min(MAX_PROBE_MS, Math.ceil(remaining / 2)) } },
  });
  Object.assign(client, { _requestMessageId: randomInt(MIN_FIRST_ID, MAX_FIRST_ID) });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const changed = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method);
    if (changed) settings.onListChanged(changed[1] as ListKind);
    session?.session?.notify?.(method, (params ?? {}) as JsonObject);
  };
  const patience = createPatience();
  const ask = session?.session?.answer;
  const answer: Answer | undefined =
    ask &&
    ((method, params, signal) => {
      const resume = patience.hold();
      return ask(method, params, signal).finally(resume);
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
    if ((error as { code?: unknown }).code === 'REQUEST_TIMEOUT') opened.tellLate?.();
    await shut(client, opened);
    throw opened.cause?.() ?? error;
  }
  return establish(settings, { client, opened, tap, patience, answer });
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
