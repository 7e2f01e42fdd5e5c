import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  inputRequired,
  type Prompt,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { fixtureTools, lists, PNG } from './fixture-tools.ts';

// The server that the official suite expects behind us. `http` (modern era, prints its port) or `stdio` (legacy era).

const prompt = (name: string, ...args: string[]): Prompt => ({
  name,
  description: `Fixture ${name}`,
  arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
});

const prompts = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  prompt('test_prompt_with_embedded_resource', 'resourceUri'),
  prompt('test_prompt_with_image'),
  prompt('test_input_required_result_prompt'),
];

const resources = [
  { uri: 'test://static-text', name: 'static-text', description: 'Static text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'Static image', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', description: 'Watched', mimeType: 'text/plain' },
];

const user = (content: object) => ({ role: 'user' as const, content }) as never;

function getPrompt(name: string, args: Record<string, string>, ctx: ServerContext) {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })] };
    case 'test_prompt_with_arguments':
      return {
        messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'` })],
      };
    case 'test_prompt_with_embedded_resource': {
      const text = 'Embedded resource content for testing.';
      return {
        messages: [
          user({ type: 'resource', resource: { uri: args.resourceUri, mimeType: 'text/plain', text } }),
          user({ type: 'text', text: 'Please process the embedded resource above.' }),
        ],
      };
    }
    case 'test_prompt_with_image':
      return {
        messages: [
          user({ type: 'image', data: PNG, mimeType: 'image/png' }),
          user({ type: 'text', text: 'Please analyze the image above.' }),
        ],
      };
    case 'test_input_required_result_prompt': {
      if (ctx.mcpReq.inputResponses) return { messages: [user({ type: 'text', text: 'With your context.' })] };
      const requestedSchema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] };
      const params = { message: 'What context should the prompt use?', requestedSchema };
      return inputRequired({ inputRequests: { user_context: { method: 'elicitation/create', params } as never } });
    }
    default:
      throw new ProtocolError(-32602, `Unknown prompt: ${name}`);
  }
}

function readResource(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  switch (uri) {
    case 'test://static-text':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    case 'test://watched-resource':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] };
    default:
      throw new ProtocolError(-32602, 'Resource not found', { uri });
  }
}

let extraTools = 0;
let extraPrompts = 0;

function fixture(): Server {
  const server = new Server(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
    },
  );
  const grown = (count: number) => Array.from({ length: count }, (_, at) => `added_${at + 1}`);
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...[...fixtureTools.values()].map(({ definition }) => definition),
      ...grown(extraTools).map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
    ],
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = fixtureTools.get(params.name);
    if (!tool) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return tool.answer(params.arguments ?? {}, ctx);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...prompts, ...grown(extraPrompts).map((name) => prompt(name))],
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => getPrompt(params.name, params.arguments ?? {}, ctx));
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server;
}

if (process.argv[2] === 'stdio') {
  serveStdio(() => {
    const server = fixture();
    lists.changeTools = () => void server.sendToolListChanged();
    lists.changePrompts = () => void server.sendPromptListChanged();
    return server;
  });
} else {
  const bus = new InMemoryServerEventBus();
  const handler = createMcpHandler(fixture, { bus });
  lists.changeTools = () => {
    extraTools++;
    bus.publish({ kind: 'tools_list_changed' });
  };
  lists.changePrompts = () => {
    extraPrompts++;
    bus.publish({ kind: 'prompts_list_changed' });
  };
  const { createHttpServer } = await import('../../../functions/node-http.ts');
  const server = createHttpServer({ fetch: handler.fetch }, () => {});
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}
