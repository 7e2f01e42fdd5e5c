import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';

/** A server that does not answer this holds its calls up no longer, milliseconds. */
const PATIENCE_MS = 5000;

const anything = z.looseObject({});

/**
 * Tells a server of the legacy eras which log messages are wanted on this connection, once for each level, before the
 * request that wants them. A server that refuses is asked no more; a broken connection shows at the request itself.
 */
export function createLevelTeller(client: Client): (level: string) => Promise<void> {
  let told: string | undefined;
  let telling = Promise.resolve();
  return (level) => {
    if (level === told || !client.getServerCapabilities()?.logging) return telling;
    told = level;
    const request = { method: 'logging/setLevel', params: { level } };
    telling = client.request(request, anything, { timeout: PATIENCE_MS }).then(
      () => {},
      () => {},
    );
    return telling;
  };
}
