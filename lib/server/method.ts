import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import type { InboundClient } from '../upstream/contract.ts';
import type { ClientLink } from './client-link.ts';
import type { RequestLogs } from './request-logs.ts';
import type { ServerServices } from './services.ts';

/** Who one server instance serves. */
export interface Peer {
  caller: Caller;
  era: 'legacy' | 'modern';
  /** How upstreams reach a client of the legacy eras; absent for the modern one, and before there is a session. */
  link?: ClientLink;
  /** Where log messages go that a request of the modern era asks for. */
  logs?: RequestLogs;
  /** When the platform ends the request, milliseconds since the epoch, margin already taken off. */
  deadline?: number;
  /** Shortened id of the session, for the log. */
  session?: string;
}

/** One request at hand, for a method of ours. */
export interface MethodContext {
  services: ServerServices;
  peer: Peer;
  server: Server;
  /** The request's `_meta` without the protocol's own envelope. */
  meta: JsonObject | undefined;
  signal: AbortSignal;
  notify(method: string, params: JsonObject): Promise<void>;
  /** What upstreams learn of the client; absent: nothing. */
  client?: InboundClient;
  /** The client's answers to an earlier `input_required` result, and its state. */
  input: { responses?: JsonObject; state?: string };
}

/** Answers one MCP method. */
export type Method = (params: JsonObject, context: MethodContext) => Promise<JsonObject>;
