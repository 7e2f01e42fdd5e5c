import { createMcpHandler, InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { Caller } from '../access/caller.ts';
import { whenTokenEnds } from '../access/when-token-ends.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { shownName } from '../shown-name.ts';
import { checkParamHeaders, HEADER_MISMATCH } from './check-param-headers.ts';
import { soonOrStream } from './late-stream.ts';
import { proxiesOf } from './list-tools.ts';
import { createMcpServer } from './mcp-server.ts';
import type { Peer } from './method.ts';
import { followOwnLists } from './own-lists.ts';
import { createRequestLogs } from './request-logs.ts';
import { idOf, RPC, rpcError } from './responses.ts';
import type { ServerServices } from './services.ts';
import { shortRefusal } from './short-refusal.ts';
import { createStreamPlaces, NO_PLACE } from './stream-places.ts';
import { watchedListen } from './watched-listen.ts';
import { whenDone } from './when-done.ts';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Serves the era of 2026-07-28: one server a request, no sessions; the caller is an argument of each. */
export function createModern(services: ServerServices) {
  const logs = createRequestLogs();
  const places = createStreamPlaces(services.config.auth !== undefined);

  return async (request: Request, body: unknown, caller: Caller, deadline: number | undefined): Promise<Response> => {
    const message = isJsonObject(body) ? body : {};
    const method = typeof message.method === 'string' ? message.method : '';
    const meta = isJsonObject(message.params) && isJsonObject(message.params._meta) ? message.params._meta : {};
    const listens = method === 'subscriptions/listen';
    if (listens && !services.holdsStreams) {
      return rpcError(404, RPC.methodNotFound, 'Method not found: no streams are held here; use ttlMs', {
        id: idOf(body),
      });
    }
    const disagreement =
      method === 'tools/call' ? await disagreeingHeader(services, request, message, caller) : undefined;
    if (disagreement !== undefined) {
      const text = `Bad Request: ${disagreement}; send the headers that belong to the body`;
      return rpcError(400, HEADER_MISMATCH, text, { id: idOf(body) });
    }
    const abort = new AbortController();
    const signal = AbortSignal.any([request.signal, abort.signal]);
    let failure: unknown;
    const serve = async () => {
      try {
        const peer: Peer = { caller, era: 'modern', logs, ...(deadline !== undefined && { deadline }) };
        return await createMcpServer(services, peer, method);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    // A bus for each stream: what one caller hears is for that caller only.
    const bus = new InMemoryServerEventBus();
    const handler = createMcpHandler(serve, {
      legacy: 'reject',
      bus,
      onerror: (error) =>
        services.log('debug', 'mcp request refused', { method: shownName(method), error: error.name }),
    });
    if (method === 'server/discover') services.log('info', 'mcp discovered', clientFields(meta));
    // The body has been read; the SDK takes headers and signal from the request, and the message as parsed.
    const inner = new Request(request.url, { method: 'POST', headers: request.headers, signal });
    const exchange = async (parsedBody: unknown): Promise<Response> => {
      const response = await handler.fetch(inner, { parsedBody });
      if (failure !== undefined) throw failure;
      return shortRefusal(response);
    };
    if (!listens) return soonOrStream(exchange(body), idOf(body), () => abort.abort());

    const giveBack = places.take(caller);
    if (!giveBack) return rpcError(429, RPC.transport, NO_PLACE, { id: idOf(body) });
    const ends = [giveBack];
    const end = (): void => {
      for (const one of ends.splice(0)) one();
    };
    try {
      const updated = (uri: string): void => bus.publish({ kind: 'resource_updated', uri });
      const watched = await watchedListen(services, caller, message, updated);
      ends.push(watched.stop);
      const unfollow = await followOwnLists(services, caller, (lists) => {
        for (const list of lists) bus.publish({ kind: `${list}_list_changed` });
      });
      ends.push(unfollow);
      ends.push(whenTokenEnds(caller, services.now, () => abort.abort()));
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      return whenDone(await exchange(watched.message), end);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** What is wrong with the headers of a call to a tool whose schema asks for `Mcp-Param-*`. */
async function disagreeingHeader(
  services: ServerServices,
  request: Request,
  { params }: JsonObject,
  caller: Caller,
): Promise<string | undefined> {
  if (!isJsonObject(params)) return undefined;
  const view = services.view(await services.catalogue(caller), caller);
  const tool = proxiesOf(view).byName.get(String(params.name));
  const args = isJsonObject(params.arguments) ? params.arguments : {};
  return tool && checkParamHeaders(tool.definition.inputSchema, args, request.headers);
}

/** The client as it names itself, for the log. */
function clientFields(meta: JsonObject): Record<string, string | undefined> {
  const info = isJsonObject(meta[CLIENT_INFO]) ? meta[CLIENT_INFO] : {};
  return {
    client: typeof info.name === 'string' ? shownName(info.name) : undefined,
    clientVersion: typeof info.version === 'string' ? shownName(info.version) : undefined,
    protocol: shownName(String(meta['io.modelcontextprotocol/protocolVersion'] ?? '')),
  };
}
