import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Head } from '../../support/lambda/environment.ts';

/** Between the head, which is JSON, and the body of a streamed answer. */
const DELIMITER = Buffer.alloc(8);
const INTEGRATION_TYPE = 'application/vnd.awslambda.http-integration-response';
const PREFIX = '/2018-06-01/runtime';

/** One event for the runtime, and where its answer goes. */
export interface Invocation {
  requestId: string;
  /** Milliseconds since the epoch. */
  deadline: number;
  event: unknown;
  onHead?: ((head: Head) => void) | undefined;
  onChunk?: ((chunk: Buffer) => void) | undefined;
}

/** Lambda's Runtime API for one environment, on loopback. */
export interface RuntimeApi {
  /** `host:port`, for `AWS_LAMBDA_RUNTIME_API`. */
  address: string;
  /** Resolves when the runtime asks for its first event; rejects where it cannot start. */
  started: Promise<void>;
  /** Hands an event over; resolves with a buffered answer, or when a streamed one has ended. */
  invoke(invocation: Invocation): Promise<unknown>;
  /** Ends what is under way: the runtime has died. */
  fail(error: Error): void;
  close(): void;
}

/** Starts it; `onIdle` is told when the runtime waits for an event, `onBusy` before it gets one. */
export async function startRuntimeApi({ onIdle = () => {}, onBusy = () => {} } = {}): Promise<RuntimeApi> {
  const started = Promise.withResolvers<void>();
  started.promise.catch(() => {});
  const queue: Invocation[] = [];
  const underWay = new Map<string, Invocation & PromiseWithResolvers<unknown>>();
  let asking: ServerResponse | undefined;

  function hand(): void {
    if (!asking) return;
    const next = queue.shift();
    if (!next) {
      onIdle();
      return;
    }
    onBusy();
    asking.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': next.requestId,
      'lambda-runtime-deadline-ms': String(next.deadline),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:000000000000:function:gateway',
      'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
    });
    asking.end(JSON.stringify(next.event));
    asking = undefined;
  }

  async function receive(request: IncomingMessage, requestId: string, kind: string): Promise<void> {
    const invocation = underWay.get(requestId);
    if (!invocation) throw new Error(`no such invocation: ${requestId}`);
    underWay.delete(requestId);
    try {
      if (kind === 'error') {
        invocation.reject(new Error(`the function failed: ${await textOf(request)}`));
      } else if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
        await pass(request, invocation);
        invocation.resolve(undefined);
      } else {
        invocation.resolve(JSON.parse(await textOf(request)));
      }
    } catch (error) {
      invocation.reject(error);
    }
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (path === `${PREFIX}/invocation/next`) {
      started.resolve();
      asking = response;
      hand();
      return;
    }
    if (path === `${PREFIX}/init/error`)
      started.reject(new Error(`the function cannot start: ${await textOf(request)}`));
    const [, requestId = '', kind = ''] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (requestId) await receive(request, decodeURIComponent(requestId), kind);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  });
  // An environment may wait for its next event for as long as it likes.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    started: started.promise,
    invoke(invocation) {
      const outcome = Promise.withResolvers<unknown>();
      underWay.set(invocation.requestId, { ...invocation, ...outcome });
      queue.push(invocation);
      hand();
      return outcome.promise;
    },
    fail(error) {
      started.reject(error);
      for (const { reject } of underWay.values()) reject(error);
      underWay.clear();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Gives a streamed answer on as it comes: its head once, then every piece of its body. */
async function pass(request: IncomingMessage, { onHead, onChunk }: Invocation): Promise<void> {
  if (request.headers['content-type'] !== INTEGRATION_TYPE) {
    throw new Error(`the function streams something else: ${request.headers['content-type']} ${await textOf(request)}`);
  }
  let before: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of request as AsyncIterable<Buffer>) {
    if (!before) {
      if (piece.length > 0) onChunk?.(piece);
      continue;
    }
    before = Buffer.concat([before, piece]);
    const end = before.indexOf(DELIMITER);
    if (end < 0) continue;
    onHead?.(JSON.parse(before.toString('utf8', 0, end)) as Head);
    const rest = before.subarray(end + DELIMITER.length);
    if (rest.length > 0) onChunk?.(rest);
    before = undefined;
  }
  const failed = request.trailers['lambda-runtime-function-error-type'];
  if (failed !== undefined) throw new Error(`the function failed while streaming: ${failed}`);
  if (before) throw new Error('the function ended its answer before the head');
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
