// Stands in for Lambda's runtime in a process of its own: hands events to a bundled handler one at a time and sends back
// what it streams, chunk by chunk. The real runtime client is used in test/e2e/lambda.
import { Writable } from 'node:stream';

globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { streams: true }),
  HttpResponseStream: {
    from(stream, head) {
      process.send({ head });
      return stream;
    },
  },
};

const start = performance.now();
const { handler } = await import(process.argv[2]);
const importMs = performance.now() - start;

process.on('message', async ({ event, remainingMs, requestId }) => {
  const end = Date.now() + remainingMs;
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => end - Date.now() };
  const stream = new Writable({
    write(chunk, _encoding, done) {
      process.send({ chunk: chunk.toString('base64') }, () => done());
    },
  });
  try {
    const result = handler.streams ? await handler(event, stream, context) : await handler(event, context);
    process.send({ ended: true, result, maxRssMb: process.resourceUsage().maxRSS / 1024 });
  } catch (error) {
    process.send({ ended: true, error: String(error) });
  }
});
process.send({ ready: true, importMs });
