import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { ServerServices } from './services.ts';
import { watchResources } from './watch-resources.ts';

/**
 * Watches the resources that a `subscriptions/listen` asks for. `message` is then the request for those alone that are
 * watched, so that what the SDK acknowledges is what will be told.
 */
export async function watchedListen(
  services: ServerServices,
  caller: Caller,
  message: JsonObject,
  updated: (uri: string) => void,
): Promise<{ message: JsonObject; stop(): void }> {
  const { params } = message;
  const wanted = isJsonObject(params) && isJsonObject(params.notifications) ? params.notifications : {};
  const { resourceSubscriptions: uris } = wanted;
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return { message, stop() {} };
  const watch = await watchResources(services, caller, uris, updated);
  const notifications = { ...wanted, resourceSubscriptions: watch.uris };
  return { message: { ...message, params: { ...(params as JsonObject), notifications } }, stop: watch.stop };
}
