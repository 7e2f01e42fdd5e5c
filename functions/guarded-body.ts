import { ReadableStream } from 'node:stream/web';

/**
 * The body, but one that fails ends there and tells why: an error that reached Lambda's stream may end the whole
 * environment (seen with the runtime client 4.0.2, not every time), and before what had been written was sent.
 */
export function guardedBody(body: ReadableStream, failed: (error: unknown) => void): ReadableStream {
  async function* pieces() {
    try {
      yield* body;
    } catch (error) {
      failed(error);
    }
  }
  return ReadableStream.from(pieces());
}
