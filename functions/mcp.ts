import type { ReadableStream } from 'node:stream/web';
import middy, { type MiddlewareObj } from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { Context } from 'aws-lambda';
import { errorNames } from '../lib/error-names.ts';
import { createLog, type Log } from '../lib/log.ts';
import { createEntry } from '../lib/server/entry.ts';
import { createGateway } from '../lib/server/http.ts';
import { RPC, rpcError } from '../lib/server/responses.ts';
import { composeAws } from './compose-aws.ts';
import { type HttpEvent, prefixOf, requestOf } from './event-request.ts';
import { guardedBody } from './guarded-body.ts';
import { countLog } from './metrics.ts';
import { readRuntimeConfig } from './runtime-config.ts';

/** Taken off the platform's remaining time, milliseconds: enough to stop a script and send the answer that says so. */
const DEADLINE_MARGIN_MS = 5000;

/** What Lambda streams: the head first, then the body. */
interface StreamedResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: ReadableStream | string;
}

/** Said on every answer; a browser is not who this is for. */
const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const config = readRuntimeConfig();
/** An environment serves one request at a time, so that one id is everybody's. */
let requestId = '';
const written = createLog(config.log);
/** A line that has an id of its own, the one its client was told, says the platform's beside it. */
const withRequestId: Log = (level, msg, fields) =>
  written(level, msg, {
    requestId,
    ...fields,
    ...(fields?.['requestId'] !== undefined && { awsRequestId: requestId }),
  });
const { log, flush } = countLog(withRequestId);
const { services, identify } = composeAws(config, process.env, log);
// Here, and not with the first script: an environment begins at full speed, and nobody waits yet. A failure shows there.
const warmed = config.languages.includes('javascript')
  ? services.sandbox().then((sandbox) => sandbox.warm(['javascript']))
  : Promise.resolve();
const enter = createEntry(createGateway(services), identify, config.auth, log);

const internalError = (error: unknown) => {
  const { stack } = error instanceof Error ? error : new Error();
  log('error', 'internal error', { ...errorNames(error), at: stack?.split('\n')[1]?.trim() });
};

/** Before the first byte an unforeseen error becomes an answer; it says nothing but where to look in the log. */
const answerErrors: MiddlewareObj<HttpEvent, StreamedResponse> = {
  onError: (request) => {
    internalError(request.error);
    const error = { code: -32603, message: `Internal error; request id ${requestId}` };
    request.response = {
      statusCode: 500,
      headers: { 'content-type': 'application/json', ...SECURITY_HEADERS },
      body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
    };
  },
};

/** Undefined where the event holds what no request can: its sender's mistake, not ours. */
function requestIn(event: HttpEvent): Request | undefined {
  try {
    return requestOf(event);
  } catch {
    return undefined;
  }
}

async function serve(event: HttpEvent, context: Context): Promise<StreamedResponse> {
  requestId = context.awsRequestId;
  const started = services.now();
  const request = requestIn(event);
  const deadline = started + context.getRemainingTimeInMillis() - DEADLINE_MARGIN_MS;
  const response = request
    ? await enter(request, { deadline, prefix: prefixOf(event) })
    : rpcError(400, RPC.transport, 'Bad Request: the method, the URL or a header is malformed');
  log(response.status < 400 ? 'debug' : 'warn', 'http request', {
    method: request?.method,
    path: request && new URL(request.url).pathname,
    status: response.status,
    durationMs: services.now() - started,
  });
  return {
    statusCode: response.status,
    headers: { ...SECURITY_HEADERS, ...Object.fromEntries(response.headers) },
    body: response.body ? guardedBody(response.body as ReadableStream, internalError) : '',
  };
}

/** API Gateway's or a function URL's event in, a streamed answer out; metrics leave when the stream has ended. */
export const handler = middy<HttpEvent, StreamedResponse>({
  executionMode: executionModeStreamifyResponse,
  requestEnd: flush,
})
  .use(answerErrors)
  .handler(serve);

await warmed.catch(() => {});
