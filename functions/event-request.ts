import type { APIGatewayProxyEvent, LambdaFunctionURLEvent } from 'aws-lambda';

/** What API Gateway (REST) or a function URL hands to the gateway. */
export type HttpEvent = APIGatewayProxyEvent | LambdaFunctionURLEvent;

const isUrlEvent = (event: HttpEvent): event is LambdaFunctionURLEvent => 'rawPath' in event;

/** Every header as it came, repeated ones included, so that two `Authorization` headers are seen to be two. */
function headersOf(event: HttpEvent): Headers {
  const headers = new Headers();
  if (isUrlEvent(event)) {
    for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.append(name, value);
    return headers;
  }
  for (const [name, values] of Object.entries(event.multiValueHeaders ?? {})) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function queryOf(event: HttpEvent): string {
  if (isUrlEvent(event)) return event.rawQueryString;
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    for (const value of values ?? []) query.append(name, value);
  }
  return query.toString();
}

/** What the public address has before the path of its request: on API Gateway's own address the stage, `/prod`. */
export function prefixOf(event: HttpEvent): string {
  if (isUrlEvent(event)) return '';
  const { path = '' } = event.requestContext;
  return path.endsWith(event.path) ? path.slice(0, -event.path.length) : '';
}

/** The web-standard request that an event stands for. The stage is no part of the path. Throws where none can be so. */
export function requestOf(event: HttpEvent): Request {
  const url = isUrlEvent(event);
  const method = url ? event.requestContext.http.method : event.httpMethod;
  const path = url ? event.rawPath : event.path;
  const query = queryOf(event);
  const body =
    event.body == null || event.body === ''
      ? undefined
      : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  const address = new URL(`https://${event.requestContext.domainName ?? 'localhost'}`);
  address.pathname = path;
  address.search = query;
  return new Request(address, {
    method,
    headers: headersOf(event),
    ...(body && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
  });
}
