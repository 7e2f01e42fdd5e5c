import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { RpcError } from './upstream-error.ts';

/** One request as the wire saw it. */
interface Exchange {
  result?: unknown;
  error?: RpcError;
  /** Its response stream ended without an answer. */
  ended?: boolean;
  abort: AbortController;
}

/**
 * Watches a transport. The SDK's client checks results against the schemas of its era and drops or refuses what it does
 * not know; a gateway hands on what came. It also lets a request whose response stream ended wait for its timeout.
 */
export function tapTransport(transport: Transport) {
  const waiting = new Map<number, Exchange>();
  let lastId: number | undefined;

  transport.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message) return;
    const exchange = waiting.get(Number(message.id));
    if (!exchange) return;
    if ('result' in message) exchange.result = message.result;
    else if ('error' in message) exchange.error = message.error;
  };

  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!('method' in message) || !('id' in message) || typeof message.id !== 'number') return send(message, options);
    const { id } = message;
    const exchange: Exchange = { abort: new AbortController() };
    waiting.set(id, exchange);
    lastId = id;
    return send(message, {
      ...options,
      requestSignal: options?.requestSignal ?? exchange.abort.signal,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        endOfStream(id);
      },
    });
  };

  function endOfStream(id: number) {
    const exchange = waiting.get(id);
    if (!exchange || 'result' in exchange || 'error' in exchange) return;
    exchange.ended = true;
    transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message: 'The response stream ended' } });
  }

  return {
    /** Follows the request that `start` sends at once; undefined where it sent none. */
    follow<T>(start: () => T) {
      lastId = undefined;
      const started = start();
      const id = lastId as number | undefined;
      const exchange = id === undefined ? undefined : waiting.get(id);
      return {
        started,
        exchange,
        /** Forgets the request; one that failed also lets go of its HTTP request. */
        done(failed: boolean) {
          if (id !== undefined) waiting.delete(id);
          if (failed) exchange?.abort.abort();
        },
      };
    },
  };
}
