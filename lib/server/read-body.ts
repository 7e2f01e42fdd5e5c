import { RPC, rpcError } from './responses.ts';

/** A body that is not all here by then is given up, milliseconds. */
const BODY_TIMEOUT_MS = 30_000;

/** Reads a POST's JSON body, or says why it cannot: 415, 413, 408 or 400. */
export async function readJsonBody(
  request: Request,
  maxBytes: number,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<{ body: unknown } | { refused: Response }> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json') {
    return { refused: rpcError(415, RPC.transport, 'Unsupported Media Type: send Content-Type: application/json') };
  }
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { refused: tooLarge(maxBytes) };

  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    for (;;) {
      const read = await Promise.race([reader?.read() ?? { done: true as const, value: undefined }, late]);
      if (read === 'late') {
        await abandon(reader);
        return {
          refused: rpcError(408, RPC.transport, 'Request Timeout: the body did not arrive in time; send it again'),
        };
      }
      if (read.done) break;
      size += read.value.byteLength;
      if (size > maxBytes) {
        await abandon(reader);
        return { refused: tooLarge(maxBytes) };
      }
      chunks.push(read.value);
    }
  } finally {
    clearTimeout(timer);
  }
  try {
    return { body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { refused: rpcError(400, RPC.parse, 'Parse error: the body is not valid JSON') };
  }
}

function tooLarge(maxBytes: number): Response {
  const message = `Payload Too Large: a request may have ${maxBytes} bytes; pass less, or raise server.max_body_bytes`;
  return rpcError(413, RPC.transport, message);
}

async function abandon(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  await reader?.cancel().catch(() => {});
}
