import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from './environment.ts';

/** AWS's place: a loopback URL whose requests become events for the environments, in turn. */
export interface Front {
  url: string;
  /** What Lambda would still give to the next requests, milliseconds. */
  remainingMs: number | undefined;
  /** Why requests got no answer of the function's own. */
  failures: string[];
  close(): Promise<void>;
}

/** What stands before the function. */
export interface FrontOptions {
  /** API Gateway (REST) by default. */
  endpoint?: 'rest' | 'function-url';
  /** The authorizer's answer to an event: the tenant; undefined where it refuses, which API Gateway answers so. */
  authorizer?: {
    tenantOf(event: unknown): Promise<string | undefined>;
    refusal: { challenge: string; body: string };
  };
}

const REST_DOMAIN = 'id.execute-api.eu-central-1.amazonaws.com';
const URL_DOMAIN = 'id.lambda-url.eu-central-1.on.aws';

interface Received {
  method: string;
  url: URL;
  /** Name and value in turn, as they came. */
  rawHeaders: string[];
  body: string | null;
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', rawHeaders } = request;
  const body = chunks.length > 0 ? Buffer.concat(chunks).toString('utf8') : null;
  return { method, url: new URL(request.url ?? '/', 'http://front'), rawHeaders, body };
}

/** What a REST API makes of a request (Lambda proxy integration). */
function restEvent({ method, url, rawHeaders, body }: Received) {
  const multiValueHeaders: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), rawHeaders[i + 1] ?? ''];
  }
  const multiValueQueryStringParameters: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) {
    multiValueQueryStringParameters[name] = [...(multiValueQueryStringParameters[name] ?? []), value];
  }
  return {
    resource: '/{proxy+}',
    httpMethod: method,
    path: url.pathname,
    multiValueHeaders,
    multiValueQueryStringParameters,
    requestContext: { domainName: REST_DOMAIN, stage: 'prod', path: `/prod${url.pathname}` },
    body,
    isBase64Encoded: false,
  };
}

/** What a function URL makes of a request (payload 2.0): names in small letters, values of one name joined. */
function urlEvent({ method, url, rawHeaders, body }: Received) {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]},${value}`;
  }
  // Only text is handed on as it is.
  const plain = /^(?:text\/|application\/json)/.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    requestContext: {
      accountId: 'anonymous',
      domainName: URL_DOMAIN,
      http: { method, path: url.pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
      stage: '$default',
    },
    ...(body !== null && { body: plain ? body : Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== null && !plain,
  };
}

/** AWS gives these on under another name. */
function remapped(headers: Record<string, string>): Record<string, string> {
  const rename = (name: string) => (/^www-authenticate$/i.test(name) ? `x-amzn-remapped-${name}` : name);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]));
}

/** Starts it; `next` gives the environment for each request, of its tenant where an authorizer names one. */
export async function startFront(
  next: (tenant: string | undefined) => Promise<Pick<Environment, 'invoke'>>,
  { endpoint = 'rest', authorizer }: FrontOptions = {},
): Promise<Front> {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    const event = endpoint === 'rest' ? restEvent(received) : urlEvent(received);
    const methodArn = `arn:aws:execute-api:eu-central-1:000000000000:id/prod/${received.method}${received.url.pathname}`;
    const tenant = await authorizer?.tenantOf({ ...event, type: 'REQUEST', methodArn });
    if (authorizer && tenant === undefined) {
      const { challenge, body } = authorizer.refusal;
      response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': challenge }).end(body);
      return;
    }
    const environment = await next(tenant);
    await environment.invoke(event, {
      ...(front.remainingMs === undefined ? {} : { remainingMs: front.remainingMs }),
      onHead: ({ statusCode, headers }) => response.writeHead(statusCode, remapped(headers)).flushHeaders(),
      onChunk: (chunk) => response.write(chunk),
    });
    response.end();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      front.failures.push(String(error));
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"Internal server error"}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    remainingMs: undefined,
    failures: [],
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return front;
}
