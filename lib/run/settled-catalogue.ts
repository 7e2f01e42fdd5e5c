import type { Caller } from '../access/caller.ts';
import { reasonAway } from '../reason-away.ts';
import type { Catalogue, CatalogueServer, CatalogueView } from '../registry/contract.ts';
import type { RunServices } from './services.ts';

/** A call waits at most this long for a server that is still connecting, milliseconds. */
const MAX_WAIT_MS = 10_000;

/** How often it looks, milliseconds. */
const LOOK_EVERY_MS = 50;

/**
 * The catalogue for a call that concerns some namespaces: where one of their servers is still connecting (a process that
 * has just started), it is waited for, a while. Lists never wait; a call would only fail.
 */
export async function settledCatalogue(
  services: RunServices,
  caller: Caller,
  concerns: (namespace: string) => boolean,
  signal: AbortSignal,
): Promise<{ catalogue: Catalogue; view: CatalogueView }> {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const catalogue = await services.catalogue(caller);
    const pending = catalogue.servers.some(({ state, namespace }) => state === 'connecting' && concerns(namespace));
    if (!pending || Date.now() >= end || signal.aborted) return { catalogue, view: services.view(catalogue, caller) };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Why a server whose tools are not known cannot be called now. */
export function unavailable({ server, state, error }: CatalogueServer): string {
  if (state === 'connecting') return `the server "${server}" is still connecting; try again in a few seconds`;
  const why = error === undefined ? state : `${state}: ${reasonAway(server, error)}`;
  return `the server "${server}" is not available now (${why}); try again later`;
}
