import type { APIGatewayProxyEvent, LambdaFunctionURLEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { prefixOf, requestOf } from '../../functions/event-request.ts';

const rest = (event: Partial<APIGatewayProxyEvent>) =>
  requestOf({
    httpMethod: 'POST',
    path: '/mcp',
    multiValueHeaders: {},
    multiValueQueryStringParameters: null,
    requestContext: { domainName: 'api.example', stage: 'prod' },
    body: null,
    isBase64Encoded: false,
    ...event,
  } as APIGatewayProxyEvent);

const url = (event: Partial<LambdaFunctionURLEvent>, method = 'POST') =>
  requestOf({
    rawPath: '/mcp',
    rawQueryString: '',
    headers: {},
    requestContext: { domainName: 'url.example', http: { method } },
    isBase64Encoded: false,
    ...event,
  } as LambdaFunctionURLEvent);

describe('the request an event stands for', () => {
  it('has the path without the stage, the query and the body', async () => {
    const request = rest({ multiValueQueryStringParameters: { a: ['1', '2'], b: ['ä &'] }, body: '{"ü":1}' });
    expect(request.url).toBe('https://api.example/mcp?a=1&a=2&b=%C3%A4+%26');
    expect(await request.json()).toEqual({ ü: 1 });
  });

  it('knows what its public address has before the path: the stage on API Gateway’s own, nothing on another', () => {
    const prefix = (path: string, publicPath?: string) =>
      prefixOf({ path, requestContext: { path: publicPath } } as APIGatewayProxyEvent);
    expect(prefix('/mcp', '/prod/mcp')).toBe('/prod');
    expect(prefix('/.well-known/oauth-protected-resource', '/v1/.well-known/oauth-protected-resource')).toBe('/v1');
    expect(prefix('/mcp', '/mcp')).toBe('');
    expect([prefix('/mcp'), prefix('/mcp', '/prod/other')]).toEqual(['', '']);
    expect(prefixOf({ rawPath: '/mcp', requestContext: {} } as LambdaFunctionURLEvent)).toBe('');
  });

  it('comes from a function URL just the same', async () => {
    const request = url({
      rawQueryString: 'a=1&a=2',
      body: Buffer.from('é').toString('base64'),
      isBase64Encoded: true,
    });
    expect([request.method, request.url, await request.text()]).toEqual([
      'POST',
      'https://url.example/mcp?a=1&a=2',
      'é',
    ]);
    expect(url({}, 'DELETE').method).toBe('DELETE');
  });

  it('shows that a header came twice', () => {
    const { headers } = rest({ multiValueHeaders: { Authorization: ['Bearer a', 'Bearer b'] } });
    expect(headers.get('authorization')).toBe('Bearer a, Bearer b');
  });

  it('keeps a path that tries to be another host', () => {
    expect(new URL(rest({ path: '//evil.example/mcp' }).url).hostname).toBe('api.example');
    expect(new URL(url({ rawPath: '/%2e%2e/mcp' }).url).hostname).toBe('url.example');
  });

  it('has no body where there is none, or none may be', () => {
    expect(rest({ body: '' }).body).toBeNull();
    expect(rest({ httpMethod: 'GET', body: 'x' }).body).toBeNull();
  });
});
