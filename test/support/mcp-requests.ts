import { ANONYMOUS, type Caller } from '../../lib/access/caller.ts';
import type { Gateway } from '../../lib/server/http.ts';

/** Where tests' requests go. */
export const MCP_URL = 'http://127.0.0.1:8000/mcp';

/** The envelope of a modern request. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** How a request differs from the usual. */
export interface Sent {
  headers?: Record<string, string>;
  caller?: Caller;
  url?: string;
  signal?: AbortSignal;
}

/** POSTs a JSON body, or a text as it is. */
export function post(
  gateway: Gateway,
  body: unknown,
  { headers, caller = ANONYMOUS, url = MCP_URL, signal }: Sent = {},
) {
  const request = new Request(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(signal && { signal }),
  });
  return gateway(request, caller);
}

/** Initializes a legacy session and gives the header that names it. */
export async function openSession(
  gateway: Gateway,
  protocolVersion = '2025-11-25',
  sent: Sent = {},
  capabilities: object = {},
) {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
  const response = await post(gateway, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, sent);
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return { 'mcp-session-id': id };
}

/** A modern request with the headers that mirror it. */
export function modern(gateway: Gateway, method: string, params: Record<string, unknown> = {}, sent: Sent = {}) {
  const { _meta, ...rest } = params as { _meta?: object };
  const name = (rest as { name?: string; uri?: string }).name ?? (rest as { uri?: string }).uri;
  const body = { jsonrpc: '2.0', id: 7, method, params: { ...rest, _meta: { ...MODERN_META, ..._meta } } };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
  return post(gateway, body, { ...sent, headers: { ...headers, ...sent.headers } });
}

/** A JSON-RPC message as tests look at it. */
export interface Message {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** Messages of an answer, whether JSON or an event stream. */
export async function messages(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return text === '' ? [] : [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
