import type { Caller } from '../access/caller.ts';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { RequestOptions } from '../upstream/contract.ts';
import { hearingClient } from './hearing-client.ts';
import type { RunServices } from './services.ts';
import { timeLeft } from './time-left.ts';

/** One request to an upstream that is no tool call. */
export interface UpstreamRequest {
  server: string;
  method: string;
  params: JsonObject;
  caller: Caller;
  signal: AbortSignal;
  meta?: JsonObject;
  onProgress?: NonNullable<RequestOptions['onProgress']>;
  client?: NonNullable<RequestOptions['client']>;
  /** When the platform ends the request, milliseconds since the epoch. */
  deadline?: number | undefined;
}

/**
 * Carries a request for a resource, a prompt or a completion; the right to it is the caller's to have checked against the
 * view. Throws what the upstream answers, and a `CodeModeError` where it cannot be reached.
 */
export async function askUpstream(services: RunServices, request: UpstreamRequest): Promise<JsonObject> {
  const { server, method, params, caller, signal, meta, onProgress } = request;
  const upstream = services.upstream(server);
  if (!upstream) throw new CodeModeError('upstream_unavailable', `the server "${server}" is not connected`);
  const client = await hearingClient(services, server, caller, request.client);
  const started = services.now();
  const log = (level: 'debug' | 'warn', outcome: string): void =>
    services.log(level, 'upstream request', { server, method, outcome, durationMs: services.now() - started });
  try {
    const result = await upstream.request(method, params, {
      caller,
      signal,
      timeoutMs: timeLeft(services, request.deadline),
      ...(meta && { meta }),
      ...(onProgress && { onProgress }),
      ...(client && { client }),
    });
    log('debug', 'ok');
    return result;
  } catch (error) {
    log('warn', error instanceof CodeModeError ? error.code : 'failed');
    throw error;
  }
}
