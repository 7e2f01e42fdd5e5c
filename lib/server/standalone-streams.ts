import type { JsonObject } from '../json.ts';
import type { Session } from '../session/contract.ts';
import { event, KEEP_ALIVE, KEEP_ALIVE_MS, STREAM_HEADERS } from './late-stream.ts';
import type { ServerServices } from './services.ts';

/** The streams that legacy clients open by GET; they carry `list_changed`. One a session: a new one ends the old. */
export function createStandaloneStreams(services: ServerServices) {
  const open = new Map<string, { write(bytes: Uint8Array): void; end(): void }>();
  services.onChange((lists) => {
    for (const list of lists) {
      const bytes = event(JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` }));
      for (const stream of open.values()) stream.write(bytes);
    }
  });

  return {
    open(session: Session, signal: AbortSignal): Response {
      open.get(session.id)?.end();
      let end = (): void => {};
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const beat = setInterval(() => controller.enqueue(KEEP_ALIVE), KEEP_ALIVE_MS);
          beat.unref();
          const stream = { write: (bytes: Uint8Array) => controller.enqueue(bytes), end: () => end() };
          end = () => {
            clearInterval(beat);
            if (open.get(session.id) === stream) open.delete(session.id);
            try {
              controller.close();
            } catch {
              // The reader has gone.
            }
          };
          open.set(session.id, stream);
          // The first bytes make the headers leave at once.
          controller.enqueue(KEEP_ALIVE);
          signal.addEventListener('abort', () => end(), { once: true });
        },
        cancel: () => end(),
      });
      return new Response(body, { headers: STREAM_HEADERS });
    },
    /** Writes to a session's stream; false where it has none. */
    write(sessionId: string, message: JsonObject): boolean {
      const stream = open.get(sessionId);
      stream?.write(event(JSON.stringify(message)));
      return stream !== undefined;
    },
    /** Ends a session's stream. */
    end(sessionId: string): void {
      open.get(sessionId)?.end();
    },
  };
}
