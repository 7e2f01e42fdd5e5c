import { SdkError } from '@modelcontextprotocol/client';
import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import { ConnectFailure } from './http-fetch.ts';
import { maskedError } from './mask-secrets.ts';
import { causesOf, httpStatusOf, unavailableReason } from './unavailable.ts';
import { NotDelivered, type RpcError, UpstreamError } from './upstream-error.ts';

/** By this a modern server refuses what its cached verdict promised. */
const UNSUPPORTED_VERSION = -32022;

export interface Circumstances {
  config: UpstreamConfig;
  era: 'modern' | 'legacy';
  method: string;
  sent: boolean;
  rpc: RpcError | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** What an upstream's words must not repeat to its callers. */
  secrets: readonly string[];
}

/** What went wrong with a request, in words for a client. */
export function failureOf(
  error: unknown,
  { config, era, method, sent, rpc, timeoutMs, signal, secrets }: Circumstances,
): CodeModeError {
  const server = `Server "${config.name}"`;
  if (signal?.aborted)
    return new CodeModeError('cancelled', `The request to ${server} was cancelled.`, { cause: error });
  if (rpc) {
    if (era === 'modern' && isStaleVerdict(rpc)) return notDelivered('it refused our protocol version');
    return new UpstreamError(maskedError(rpc, secrets));
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION') {
    return new UpstreamError({ code: -32601, message: `${server} does not know ${method}` });
  }
  const unsure = method === 'tools/call' ? ' The call may have run: check before repeating it.' : '';
  if (code === 'REQUEST_TIMEOUT') {
    return new CodeModeError('call_timeout', `${server} did not answer within ${timeoutMs} ms.${unsure}`, {
      cause: error,
    });
  }
  if (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE') {
    return new CodeModeError('tool_failed', `${server} answered with something that is no MCP result.${unsure}`, {
      cause: error,
    });
  }
  const reason = unavailableReason(error, config);
  if (!sent || isUndelivered(error)) return notDelivered(reason);
  if (isRefused(error)) {
    const message = `${server} is not available: ${reason}. The request was not carried out.`;
    return new CodeModeError('upstream_unavailable', message, { cause: error });
  }
  const refusal = rpcIn(error);
  if (refusal) return new UpstreamError(maskedError(refusal, secrets));
  return new CodeModeError('upstream_unavailable', `${server} gave no answer: ${reason}.${unsure}`, { cause: error });

  function notDelivered(why: string) {
    return new NotDelivered(`${server} is not available: ${why}. The request was not carried out.`, { cause: error });
  }
}

/** An old server behind the address of a modern one misses the version it knows, or a session. */
function isStaleVerdict({ code, message }: RpcError): boolean {
  return code === UNSUPPORTED_VERSION || ((code === -32000 || code === -32001) && /session/i.test(message));
}

/** Statuses by which an HTTP server refuses a request without acting on it. */
const REFUSED = new Set([401, 403, 405, 406, 413, 415, 429]);

function isRefused(error: unknown): boolean {
  return REFUSED.has(firstStatus(error) ?? 0);
}

/** Whether the request cannot have arrived, or met a server that has forgotten our session: another connection may help. */
function isUndelivered(error: unknown): boolean {
  for (const cause of causesOf(error)) if (cause instanceof ConnectFailure) return true;
  const status = firstStatus(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

function firstStatus(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    const status = httpStatusOf(cause);
    if (status !== undefined) return status;
  }
  return undefined;
}

/** The JSON-RPC error in the body of an HTTP error, which some servers send for ordinary mistakes. */
function rpcIn(error: unknown): RpcError | undefined {
  if (!(error instanceof SdkError) || !isJsonObject(error.data)) return undefined;
  try {
    const body: unknown = JSON.parse(String(error.data['text']));
    const found = isJsonObject(body) ? body['error'] : undefined;
    if (!isJsonObject(found) || typeof found['message'] !== 'string') return undefined;
    return { code: Number(found['code']), message: found['message'], ...('data' in found && { data: found['data'] }) };
  } catch {
    return undefined;
  }
}
