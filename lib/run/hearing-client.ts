import type { Caller } from '../access/caller.ts';
import { isJsonObject } from '../json.ts';
import type { InboundClient } from '../upstream/contract.ts';
import type { RunServices } from './services.ts';

/**
 * The client as one server needs to know it. Who only wants to hear logs needs no connection of its own to a server that is
 * known to have none; that also keeps all calls to such a server, and what it keeps in mind, in one place.
 */
export async function hearingClient(
  services: RunServices,
  server: string,
  caller: Caller,
  client: InboundClient | undefined,
): Promise<InboundClient | undefined> {
  if (!client?.onlyHears) return client;
  const { servers } = await services.catalogue(caller);
  const known = servers.find((one) => one.server === server)?.capabilities;
  if (known === undefined || isJsonObject(known.logging)) return client;
  const { capabilities } = client;
  return Object.keys(capabilities).length > 0 ? { capabilities } : undefined;
}
