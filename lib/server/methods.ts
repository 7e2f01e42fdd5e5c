import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { callToolMethod } from './call-tool-method.ts';
import { proxiesOf } from './list-tools.ts';
import type { Method, Peer } from './method.ts';
import { ownDefinitions } from './own-tools.ts';
import { complete, getPrompt, listPrompts, listResources, useResource } from './resource-methods.ts';
import type { ServerServices } from './services.ts';
import { setLogLevel } from './set-log-level.ts';
import { serversWith } from './shared-lists.ts';

/** How long clients of the modern era may keep a list, milliseconds. */
const LIST_TTL_MS = 15_000;

/** What clients may show their model beside the tools. */
export const INSTRUCTIONS =
  'Tools of several servers as functions for scripts: find them with search_functions or get_functions_description, then run code that calls them with execute_code. Tools named namespace__tool call one of them directly.';

/** What one caller is offered. */
export interface Methods {
  capabilities: ServerCapabilities;
  instructions: string;
  handlers: Readonly<Record<string, Method>>;
}

/** The MCP methods, with the capabilities that announce them. */
export function methodsFor(view: CatalogueView, services: ServerServices, peer: Peer): Methods {
  // A list made while servers are still connecting is out of date at once.
  const ttlMs = view.servers.some(({ state }) => state === 'connecting') ? 0 : LIST_TTL_MS;
  const cache: JsonObject = peer.era === 'modern' ? { ttlMs, cacheScope: 'private' } : {};
  const changes = services.holdsStreams ? { listChanged: true } : {};
  const listTools: Method = async () => {
    const tools = [...ownDefinitions(services, view), ...proxiesOf(view).tools];
    services.log('info', 'mcp tools listed', { tools: tools.length, session: peer.session });
    return { tools: tools as never, ...cache };
  };
  const capabilities: ServerCapabilities = { tools: changes };
  const handlers: Record<string, Method> = { 'tools/list': listTools, 'tools/call': callToolMethod };

  const withResources = serversWith('resources', view, services, peer.caller);
  const withPrompts = serversWith('prompts', view, services, peer.caller);
  if (withResources.length > 0) {
    // Updates come between requests: they need a stream to be told on. The modern era subscribes by opening one.
    const subscribes = services.holdsStreams && withResources.some((one) => declares(one, 'resources', 'subscribe'));
    capabilities.resources = { ...changes, ...(subscribes && { subscribe: true }) };
    Object.assign(handlers, {
      'resources/list': listResources('resources', cache),
      'resources/templates/list': listResources('resourceTemplates', cache),
      'resources/read': useResource('resources/read'),
      ...(subscribes &&
        peer.era === 'legacy' && {
          'resources/subscribe': useResource('resources/subscribe'),
          'resources/unsubscribe': useResource('resources/unsubscribe'),
        }),
    });
  }
  if (withPrompts.length > 0) {
    capabilities.prompts = changes;
    Object.assign(handlers, { 'prompts/list': listPrompts(cache), 'prompts/get': getPrompt });
  }
  if ([...withResources, ...withPrompts].some((one) => declares(one, 'completions'))) {
    capabilities.completions = {};
    handlers['completion/complete'] = complete;
  }
  if (view.servers.some((one) => declares(one, 'logging'))) {
    capabilities.logging = {};
    if (peer.era === 'legacy') handlers['logging/setLevel'] = setLogLevel;
  }
  return { capabilities, instructions: INSTRUCTIONS, handlers };
}

/** Whether a server declares a capability; one that has not been listed yet counts, as it may. */
export function declares({ capabilities }: CatalogueView['servers'][number], kind: string, feature?: string): boolean {
  if (capabilities === undefined) return true;
  const declared = capabilities[kind];
  return isJsonObject(declared) && (feature === undefined || declared[feature] === true);
}
