import { type RunningServer, startHttp } from '../support/upstreams/http-server.ts';

/** What an upstream saw of the user. */
export interface Echo {
  authorization?: string;
  user?: string;
  tool: string;
}

const TOOLS = ['whoami', 'delete_path'].map((name) => ({ name, inputSchema: { type: 'object' } }));

/** An upstream each of whose tools answers who the call came from. */
export function startEchoUpstream(): Promise<RunningServer> {
  return startHttp(
    { tools: TOOLS },
    {
      intercept({ method, headers, message }, response) {
        if (method !== 'tools/call') return false;
        const { name } = message['params'] as { name: string };
        const echo = { authorization: headers.authorization, user: headers['x-user-id'], tool: name };
        const result = { content: [{ type: 'text', text: JSON.stringify(echo) }] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
        return true;
      },
    },
  );
}
