import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from './environment.ts';

/** API Gateway's place: a loopback URL whose requests become REST events for the environments, in turn. */
export interface Front {
  url: string;
  /** What Lambda would still give to the next requests, milliseconds. */
  remainingMs: number | undefined;
  /** Why requests got no answer of the function's own. */
  failures: string[];
  close(): Promise<void>;
}

async function eventOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://front');
  const multiValueHeaders: Record<string, string[]> = {};
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? '';
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), request.rawHeaders[i + 1] ?? ''];
  }
  const multiValueQueryStringParameters: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) {
    multiValueQueryStringParameters[name] = [...(multiValueQueryStringParameters[name] ?? []), value];
  }
  return {
    resource: '/{proxy+}',
    httpMethod: request.method,
    path: url.pathname,
    multiValueHeaders,
    multiValueQueryStringParameters,
    requestContext: {
      domainName: 'id.execute-api.eu-central-1.amazonaws.com',
      stage: 'prod',
      path: `/prod${url.pathname}`,
    },
    body: chunks.length > 0 ? Buffer.concat(chunks).toString('utf8') : null,
    isBase64Encoded: false,
  };
}

/** A REST API gives these on under another name. */
function remapped(headers: Record<string, string>): Record<string, string> {
  const rename = (name: string) => (/^www-authenticate$/i.test(name) ? `x-amzn-remapped-${name}` : name);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]));
}

/** Starts it; `next` gives the environment for each request. */
export async function startFront(next: () => Promise<Pick<Environment, 'invoke'>>): Promise<Front> {
  const server = createServer(async (request, response) => {
    try {
      const event = await eventOf(request);
      const environment = await next();
      await environment.invoke(event, {
        ...(front.remainingMs === undefined ? {} : { remainingMs: front.remainingMs }),
        onHead: ({ statusCode, headers }) => response.writeHead(statusCode, remapped(headers)).flushHeaders(),
        onChunk: (chunk) => response.write(chunk),
      });
      response.end();
    } catch (error) {
      front.failures.push(String(error));
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"Internal server error"}');
    }
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
