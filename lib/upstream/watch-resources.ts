import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/client';

/** JSON-RPC's code for what a server does not offer. */
const METHOD_NOT_FOUND = -32601;

/** Subscribing to resources on a connection of the modern era: a stream each, instead of a request. */
export interface ResourceWatch {
  /** Resolves when the server has agreed; rejects with its error, or -32601 where it does not tell of updates. */
  subscribe(uri: string, timeoutMs: number): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

/** Keeps a `subscriptions/listen` stream for each watched resource; one that ends is opened by the next `subscribe`. */
export function createResourceWatch(client: Client): ResourceWatch {
  const streams = new Map<string, Promise<McpSubscription>>();

  async function listen(uri: string, timeout: number): Promise<McpSubscription> {
    const stream = await client.listen({ resourceSubscriptions: [uri] }, { timeout });
    if (stream.honoredFilter.resourceSubscriptions?.includes(uri)) return stream;
    await stream.close();
    throw new ProtocolError(METHOD_NOT_FOUND, 'The server does not tell of updates of this resource');
  }

  return {
    async subscribe(uri, timeoutMs) {
      const known = streams.get(uri);
      if (known) return void (await known);
      const opening = listen(uri, timeoutMs);
      streams.set(uri, opening);
      const forget = (): void => {
        if (streams.get(uri) === opening) streams.delete(uri);
      };
      opening.then((stream) => stream.closed).then(forget, forget);
      await opening;
    },
    async unsubscribe(uri) {
      const stream = await streams.get(uri)?.catch(() => undefined);
      await stream?.close();
    },
  };
}
