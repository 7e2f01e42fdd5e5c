import type { RequestId } from './responses.ts';
import { RPC } from './responses.ts';

/** An answer that takes longer than this goes out as a stream, so that nothing between cuts the idle connection. */
export const STREAM_AFTER_MS = 10_000;

/** Comments keep a silent stream alive this often, milliseconds (idle connections are cut at 5 minutes). */
export const KEEP_ALIVE_MS = 15_000;

/** Headers of every event stream we make. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

const encoder = new TextEncoder();

/** One server-sent event with a JSON-RPC message. */
export function event(message: string): Uint8Array {
  return encoder.encode(`event: message\ndata: ${message}\n\n`);
}

/** A comment no client sees. */
export const KEEP_ALIVE = encoder.encode(': keep-alive\n\n');

/**
 * The answer as it is if it comes soon; else a stream at once, kept alive by comments, that ends with the answer.
 * `abandon` is called when the client goes away meanwhile.
 */
export async function soonOrStream(
  answer: Promise<Response>,
  id: RequestId,
  abandon: () => void,
  { afterMs = STREAM_AFTER_MS, keepAliveMs = KEEP_ALIVE_MS } = {},
): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), afterMs);
  });
  try {
    const first = await Promise.race([answer, late]);
    if (first !== 'late') return isStream(first) ? keptAlive(first, keepAliveMs) : first;
  } finally {
    clearTimeout(timer);
  }
  let beat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(KEEP_ALIVE);
      beat = setInterval(() => controller.enqueue(KEEP_ALIVE), keepAliveMs);
      try {
        await deliver(await answer, (bytes) => controller.enqueue(bytes));
      } catch {
        const error = { code: RPC.internal, message: 'Internal error' };
        tryEnqueue(controller, event(JSON.stringify({ jsonrpc: '2.0', id, error })));
      } finally {
        clearInterval(beat);
        tryClose(controller);
      }
    },
    cancel() {
      clearInterval(beat);
      abandon();
    },
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

function isStream({ headers, body }: Response): boolean {
  return body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** A stream as it is, with comments while it is silent: somebody may be thinking about a question on it. */
function keptAlive({ status, headers, body }: Response, keepAliveMs: number): Response {
  const reader = body!.getReader();
  let beat: NodeJS.Timeout | undefined;
  const alive = new ReadableStream<Uint8Array>({
    start(controller) {
      beat = setInterval(() => controller.enqueue(KEEP_ALIVE), keepAliveMs);
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        clearInterval(beat);
        throw error;
      });
      if (!done) return controller.enqueue(value);
      clearInterval(beat);
      controller.close();
    },
    cancel(reason) {
      clearInterval(beat);
      return reader.cancel(reason);
    },
  });
  return new Response(alive, { status, headers });
}

async function deliver(answer: Response, write: (bytes: Uint8Array) => void): Promise<void> {
  if (isStream(answer)) {
    for await (const chunk of answer.body ?? []) write(chunk);
    return;
  }
  const text = await answer.text();
  if (text !== '') write(event(text));
}

function tryEnqueue(controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array): void {
  try {
    controller.enqueue(bytes);
  } catch {
    // The client has gone.
  }
}

function tryClose(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // Cancelled already.
  }
}
