import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { CatalogueView } from '../registry/contract.ts';
import { callToolMethod } from './call-tool-method.ts';
import { proxiesOf } from './list-tools.ts';
import type { Method, Peer } from './method.ts';
import { ownDefinitions } from './own-tools.ts';
import type { ServerServices } from './services.ts';

/** How long clients of the modern era may keep a list, milliseconds. */
const LIST_TTL_MS = 15_000;

/** What clients may show their model beside the tools. */
const INSTRUCTIONS =
  'Tools of several servers as functions for scripts: find them with search_functions or get_functions_description, then run code that calls them with execute_code. Tools named namespace__tool call one of them directly.';

/** What one caller is offered. */
export interface Methods {
  capabilities: ServerCapabilities;
  instructions: string;
  handlers: Readonly<Record<string, Method>>;
}

/** The MCP methods, with the capabilities that announce them. */
export function methodsFor(view: CatalogueView, services: ServerServices, peer: Peer): Methods {
  const listChanged = services.holdsStreams;
  const cache = peer.era === 'modern' ? { ttlMs: LIST_TTL_MS, cacheScope: 'private' } : {};
  const listTools: Method = async () => {
    const tools = [...ownDefinitions(services, view), ...proxiesOf(view).tools];
    services.log('info', 'mcp tools listed', { tools: tools.length, session: peer.session });
    return { tools: tools as never, ...cache };
  };
  return {
    capabilities: { tools: listChanged ? { listChanged } : {} },
    instructions: INSTRUCTIONS,
    handlers: { 'tools/list': listTools, 'tools/call': callToolMethod },
  };
}
