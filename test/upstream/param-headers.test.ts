import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import { paramHeaders } from '../../lib/upstream/param-headers.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    deep: { type: 'object', properties: { id: { type: 'string', 'x-mcp-header': 'Deep-Id' } } },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
    bad: { type: 'string', 'x-mcp-header': 'not a token' },
  },
};

describe('headers of marked arguments', () => {
  it.each<[JsonObject, Record<string, string>]>([
    [
      { region: 'eu', count: 3, dry: false },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Count': '3', 'Mcp-Param-Dry': 'false' },
    ],
    [{ deep: { id: 'x' } }, { 'Mcp-Param-Deep-Id': 'x' }],
    [{ region: 'Łódź' }, { 'Mcp-Param-Region': '=?base64?xYHDs2TFug==?=' }],
    [{ region: ' padded ' }, { 'Mcp-Param-Region': '=?base64?IHBhZGRlZCA=?=' }],
    [{ region: 'a\r\nX: 1' }, { 'Mcp-Param-Region': '=?base64?YQ0KWDogMQ==?=' }],
    [{ region: '=?base64?YQ==?=' }, { 'Mcp-Param-Region': '=?base64?PT9iYXNlNjQ/WVE9PT89?=' }],
    [{ region: null, count: 2 ** 60, list: ['a'], bad: 'a' }, {}],
    [{ region: { not: 'primitive' } }, {}],
  ])('of %j are %j', (args, headers) => {
    expect(paramHeaders(schema, args)).toEqual(headers);
  });

  it.each([
    ['modern', 'eu'],
    ['legacy', undefined],
  ] as const)('are sent to a server of the %s era as %s', async (era, expected) => {
    const definition = { name: 'deploy', inputSchema: schema };
    await using running = await startHttp({ tools: [definition] }, { era });
    await using upstream = connectTo({ transport: 'http', url: running.url });
    await upstream.callTool({ name: 'deploy', arguments: { region: 'eu' }, definition }, { caller: ANONYMOUS });
    expect(running.seen.at(-1)?.headers['mcp-param-region']).toBe(expected);
  });
});
