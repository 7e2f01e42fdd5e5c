import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import type { ToolDefinition } from '../../../lib/tool.ts';

/** A JSON-RPC message, loosely. */
export interface Message extends JsonObject {
  jsonrpc: '2.0';
}

/** What a fake upstream does; it speaks the wire itself, so that it can also be wrong. */
export interface FakeServer {
  tools: ToolDefinition[];
  /** Tools a page; all on one where absent. */
  pageSize?: number;
  /** Replaces a page's `nextCursor`. */
  nextCursor?: (cursor: string | undefined, next: string | undefined) => string | undefined;
  capabilities?: JsonObject;
  /** Further methods by name. */
  methods?: Record<string, (params: JsonObject) => JsonObject>;
  /** The result of a call; by default it tells which tool was called with what. */
  call?: (name: string, args: JsonObject, params: JsonObject) => JsonObject | Promise<JsonObject>;
}

/** An error to be sent as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const MODERN = '2026-07-28';

/** One of the recorded catalogues in `test/catalogs`. */
export function recordedTools(name: string): ToolDefinition[] {
  const path = new URL(`../../catalogs/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { tools: ToolDefinition[] }).tools;
}

/** `count` small tools, `tool_0` and on. */
export function manyTools(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => ({ name: `tool_${i}`, inputSchema: { type: 'object' } }));
}

/** Answers a request; undefined for notifications and responses, which have no answer. */
export async function answer(server: FakeServer, message: Message): Promise<Message | undefined> {
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string') return undefined;
  const params = isJsonObject(message['params']) ? message['params'] : {};
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(server, method, params) };
  } catch (error) {
    const { code, message: text, data } = error instanceof RpcFailure ? error : new RpcFailure(-32603, String(error));
    return { jsonrpc: '2.0', id, error: { code, message: text, ...(data && { data }) } };
  }
}

async function resultOf(server: FakeServer, method: string, params: JsonObject): Promise<JsonObject> {
  const capabilities = server.capabilities ?? { tools: { listChanged: true } };
  const own = server.methods?.[method];
  if (own) return own(params);
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'fake', version: '1' } };
    case 'server/discover':
      return { resultType: 'complete', supportedVersions: [MODERN], capabilities, ttlMs: 0, cacheScope: 'private' };
    case 'ping':
      return {};
    case 'tools/list':
      return page(server, params['cursor'] as string | undefined);
    case 'tools/call':
      return call(server, params);
    default:
      throw new RpcFailure(-32601, `Method not found: ${method}`);
  }
}

function page(
  { tools, pageSize = tools.length, nextCursor = (_, next) => next }: FakeServer,
  cursor?: string,
): JsonObject {
  const start = Number(cursor ?? 0);
  const end = start + pageSize;
  const next = nextCursor(cursor, end < tools.length ? String(end) : undefined);
  return { tools: tools.slice(start, end) as unknown as JsonObject[], ...(next !== undefined && { nextCursor: next }) };
}

async function call(server: FakeServer, params: JsonObject): Promise<JsonObject> {
  const name = String(params['name']);
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
  if (!server.tools.some((tool) => tool.name === name)) throw new RpcFailure(-32602, `Unknown tool: ${name}`);
  if (server.call) return server.call(name, args, params);
  return { content: [{ type: 'text', text: JSON.stringify({ called: name, arguments: args }) }] };
}
