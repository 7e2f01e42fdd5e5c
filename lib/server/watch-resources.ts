import type { Caller } from '../access/caller.ts';
import { askUpstream } from '../run/ask-upstream.ts';
import type { InboundClient } from '../upstream/contract.ts';
import { declares } from './methods.ts';
import type { ServerServices } from './services.ts';
import { serversOfUri, serversWith } from './shared-lists.ts';

/** Servers are asked again this often, milliseconds: a subscription whose connection broke since begins anew. */
const RENEW_MS = 5 * 60_000;

/** Resources one stream may watch; what is over that is not watched. */
const MAX_WATCHED = 256;

/** What one `subscriptions/listen` stream watches. */
export interface Watch {
  /** Those of the URIs asked for that some server tells of. */
  uris: string[];
  stop(): void;
}

/**
 * Subscribes to resources at the servers that have them, as far as this caller may use those, over connections that live
 * as long as the watch.
 */
export async function watchResources(
  services: ServerServices,
  caller: Caller,
  uris: readonly string[],
  updated: (uri: string) => void,
): Promise<Watch> {
  const id = services.randomId();
  const watched = new Map<string, string>();
  const stopped = new AbortController();
  const client: InboundClient = {
    capabilities: {},
    session: {
      id,
      notify(method, { uri }) {
        // Of other resources the SDK tells nobody: each stream has what was acknowledged to it.
        if (method === 'notifications/resources/updated' && typeof uri === 'string') updated(uri);
      },
    },
  };
  const subscribe = (server: string, uri: string): Promise<unknown> => {
    const request = { server, method: 'resources/subscribe', params: { uri }, caller, client };
    return askUpstream(services, { ...request, signal: stopped.signal });
  };

  const view = services.view(await services.catalogue(caller), caller);
  const servers = serversWith('resources', view, services, caller).filter((one) =>
    declares(one, 'resources', 'subscribe'),
  );
  const begin = async (uri: string): Promise<void> => {
    for (const { server } of serversOfUri(servers, uri)) {
      watched.set(uri, server);
      try {
        await subscribe(server, uri);
        return;
      } catch {
        watched.delete(uri);
      }
    }
  };
  await Promise.all([...new Set(uris.slice(0, MAX_WATCHED))].map(begin));
  const renewal = setInterval(() => {
    for (const [uri, server] of watched) subscribe(server, uri).catch(() => {});
  }, RENEW_MS).unref();
  return {
    uris: [...watched.keys()],
    stop() {
      clearInterval(renewal);
      stopped.abort();
      for (const server of new Set(watched.values())) void services.upstream(server)?.endSession(id);
    },
  };
}
