import type { Caller } from '../access/caller.ts';
import { whenTokenEnds } from '../access/when-token-ends.ts';
import type { JsonObject } from '../json.ts';
import type { Session } from '../session/contract.ts';
import { event, KEEP_ALIVE, KEEP_ALIVE_MS, STREAM_HEADERS } from './late-stream.ts';
import { followOwnLists } from './own-lists.ts';
import { RPC, rpcError } from './responses.ts';
import type { ServerServices } from './services.ts';
import { createStreamPlaces, NO_PLACE } from './stream-places.ts';

/**
 * The streams that legacy clients open by GET; they carry `list_changed`. One a session: a new one ends the old. None
 * outlives the token it was opened with.
 */
export function createStandaloneStreams(services: ServerServices) {
  const open = new Map<string, { write(message: JsonObject): void; end(): void }>();
  const places = createStreamPlaces(services.config.auth !== undefined);

  /** Makes a session's stream; `ends` is called once, however it ends. */
  function stream(session: Session, signal: AbortSignal, ends: () => void): Response {
    let end = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const beat = setInterval(() => controller.enqueue(KEEP_ALIVE), KEEP_ALIVE_MS).unref();
        const own = {
          write: (message: JsonObject) => controller.enqueue(event(JSON.stringify(message))),
          end: () => end(),
        };
        end = () => {
          clearInterval(beat);
          if (open.get(session.id) === own) open.delete(session.id);
          ends();
          try {
            controller.close();
          } catch {
            // The reader has gone.
          }
        };
        open.get(session.id)?.end();
        open.set(session.id, own);
        // The first bytes make the headers leave at once.
        controller.enqueue(KEEP_ALIVE);
        signal.addEventListener('abort', () => end(), { once: true });
        if (signal.aborted) end();
      },
      cancel: () => end(),
    });
    return new Response(body, { headers: STREAM_HEADERS });
  }

  function write(sessionId: string, message: JsonObject): boolean {
    const own = open.get(sessionId);
    own?.write(message);
    return own !== undefined;
  }

  return {
    async open(session: Session, caller: Caller, signal: AbortSignal): Promise<Response> {
      open.get(session.id)?.end();
      const giveBack = places.take(caller);
      if (!giveBack) return rpcError(429, RPC.transport, NO_PLACE);
      const unfollow = await followOwnLists(services, caller, (lists) => {
        for (const list of lists) {
          write(session.id, { jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
        }
      });
      const over = new AbortController();
      const callOff = whenTokenEnds(caller, services.now, () => over.abort());
      return stream(session, AbortSignal.any([signal, over.signal]), () => {
        giveBack();
        unfollow();
        callOff();
      });
    },
    /** Writes to a session's stream; false where it has none. */
    write,
    /** Ends a session's stream. */
    end(sessionId: string): void {
      open.get(sessionId)?.end();
    },
  };
}
