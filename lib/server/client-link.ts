import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { JsonObject } from '../json.ts';
import type { InboundClient } from '../upstream/contract.ts';
import { wantsMessage } from './log-level.ts';

/** A person may think this long about an upstream's question, milliseconds. */
export const ANSWER_WAIT_MS = 10 * 60_000;

/** What upstreams may ask of a client. */
const ASKABLE = ['elicitation', 'sampling', 'roots'] as const;

/** One client session of the legacy eras that can be reached between its requests: upstreams speak to it through this. */
export interface ClientLink {
  /** For upstreams: present where the client can answer something, or follows logs or resources. */
  client(): InboundClient | undefined;
  /** From now on this session uses connections of its own, so that notifications find it. */
  bind(): InboundClient;
  /** From now on this session hears what its upstreams log, from this level up. */
  setLogLevel(level: string): Promise<void>;
}

/** How a link reaches its client. */
export interface ClientWire {
  id: string;
  capabilities(): JsonObject;
  logLevel(): string | undefined;
  setLogLevel(level: string): Promise<void>;
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
}

/** Makes the link of one session. */
export function createClientLink(wire: ClientWire): ClientLink {
  let bound = false;
  const session: NonNullable<InboundClient['session']> = {
    id: wire.id,
    answer: wire.request,
    notify(method, params) {
      // Progress has its own way, and lists are told of when the registry has read them anew.
      if (/^notifications\/(?:progress|cancelled|[a-z]+\/list_changed)$/.test(method)) return;
      if (method === 'notifications/message' && !wantsMessage(wire.logLevel(), params.level)) return;
      wire.notify(method, params);
    },
  };
  const client = (): InboundClient => {
    const logLevel = wire.logLevel();
    const capabilities = askable(wire.capabilities());
    const onlyHears = !bound && Object.keys(capabilities).length === 0;
    return { capabilities, session, ...(logLevel !== undefined && { logLevel, onlyHears }) };
  };
  return {
    client() {
      const made = client();
      return bound || made.logLevel !== undefined || Object.keys(made.capabilities).length > 0 ? made : undefined;
    },
    bind() {
      bound = true;
      return client();
    },
    setLogLevel: wire.setLogLevel,
  };
}

/** The part of a client's capabilities that upstreams can use. */
export function askable(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    ASKABLE.flatMap((name) => (capabilities[name] === undefined ? [] : [[name, capabilities[name]]])),
  );
}

/** The link of a client that stays connected (stdio, SSE): its own server speaks to it. */
export function linkOfServer(server: Server, id: string): ClientLink {
  const anything = z.looseObject({});
  let logLevel: string | undefined;
  return createClientLink({
    id,
    logLevel: () => logLevel,
    async setLogLevel(level) {
      logLevel = level;
    },
    capabilities: () => (server.getClientCapabilities() ?? {}) as JsonObject,
    request: async (method, params, signal) =>
      (await server.request({ method, params }, anything, { signal, timeout: ANSWER_WAIT_MS })) as JsonObject,
    notify: (method, params) => {
      server.notification({ method, params } as Parameters<Server['notification']>[0]).catch(() => {});
    },
  });
}
