import { messages } from '../support/mcp-requests.ts';

/** What a client of one session sends with every request. */
export type Sent = Record<string, string>;

/** A client that does what Open-WebUI's does for each chat message: connect, list, call, disconnect. */
export interface LegacyClient {
  session: string;
  request(method: string, params?: object, headers?: Sent): Promise<Response>;
  /** The names of the tools it is offered. */
  tools(): Promise<string[]>;
  /** A tool's text; fails where the answer is no result. */
  call(name: string, args?: object): Promise<string>;
  close(headers?: Sent): Promise<Response>;
}

/** Sends one JSON-RPC message. */
export function send(url: string, body: object, headers: Sent): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

/** Sends `initialize`. */
export function initialize(url: string, headers: Sent): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mcp', version: '0.1.0' } };
  return send(url, { id: 0, method: 'initialize', params }, headers);
}

/** Connects with these headers on every request; fails where the gateway refuses. */
export async function connect(url: string, headers: Sent): Promise<LegacyClient> {
  const response = await initialize(url, headers);
  const session = response.headers.get('mcp-session-id');
  if (!session) throw new Error(`refused with ${response.status}: ${await response.text()}`);
  await response.text();
  const all = { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  let id = 0;
  const request = (method: string, params: object = {}, more: Sent = {}) => {
    id += 1;
    return send(url, { id, method, params }, { ...all, ...more });
  };
  const result = async (response: Response) => {
    const message = (await messages(response)).at(-1);
    if (!message?.result) throw new Error(`${response.status} ${JSON.stringify(message)}`);
    return message.result;
  };
  await send(url, { method: 'notifications/initialized' }, all);
  return {
    session,
    request,
    async tools() {
      const { tools } = (await result(await request('tools/list'))) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    async call(name, args = {}) {
      const { content } = (await result(await request('tools/call', { name, arguments: args }))) as {
        content: { text: string }[];
      };
      return content[0]?.text ?? '';
    },
    close: (more = {}) => fetch(url, { method: 'DELETE', headers: { ...all, ...more } }),
  };
}
