import type { CodeModeError } from '../errors.ts';

/** A JSON-RPC id as far as a request showed one. */
export type RequestId = string | number | null;

/** JSON-RPC error codes we answer with ourselves; those of the modern era are the SDK's. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Of the transport: a missing session, a refused origin, a wrong content type. */
  transport: -32000,
  /** No such session (MCP, "Session Management"). */
  sessionNotFound: -32001,
} as const;

/** An error answer: under 500 its message says what to do next. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  options: { id?: RequestId; headers?: Record<string, string> } = {},
): Response {
  const body = { jsonrpc: '2.0', id: options.id ?? null, error: { code, message } };
  return Response.json(body, { status, ...(options.headers && { headers: options.headers }) });
}

/** A 500 says nothing but the id to ask the administrator with. */
export function internalError(requestId: string, id?: RequestId): Response {
  return rpcError(500, RPC.internal, `Internal error (request ${requestId})`, id === undefined ? {} : { id });
}

/** When to come again, seconds, where something behind us does not answer. */
const RETRY_AFTER = { 'retry-after': '5' };

/** What is needed does not answer now, which is no fault of the sender: 503, what to do, and the id of the request. */
export function unavailable({ message }: CodeModeError, requestId?: string): Response {
  const text = requestId === undefined ? message : `${message} (request ${requestId})`;
  return rpcError(503, RPC.internal, text, { headers: RETRY_AFTER });
}

/** The JSON-RPC id of a body, for the answer to name; null where it shows none. */
export function idOf(body: unknown): RequestId {
  const id = (body as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
