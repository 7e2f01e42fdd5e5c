import { CodeModeError } from '../errors.ts';

/** A JSON-RPC error as the upstream sent it. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The upstream answered a request with a JSON-RPC error: `tool_failed` with its own text, the original kept in `rpc`. */
export class UpstreamError extends CodeModeError {
  readonly rpc: RpcError;

  constructor(rpc: RpcError) {
    super('tool_failed', rpc.message);
    this.name = 'UpstreamError';
    this.rpc = rpc;
  }
}

/** `upstream_unavailable`, and certain that the request was not applied: another connection may carry it. */
export class NotDelivered extends CodeModeError {
  constructor(message: string, options?: ErrorOptions) {
    super('upstream_unavailable', message, options);
    this.name = 'NotDelivered';
  }
}
