import { findServer } from '../describe/servers.ts';
import type { CatalogueView } from '../registry/contract.ts';

/** `list_servers` (CONTRACT, "Tools"). */
export function listServers(view: CatalogueView): object[] {
  return view.servers.map((server) => ({
    name: server.server,
    alias: server.alias ?? null,
    namespace: server.namespace,
    transport: server.transport,
    state: server.state,
    ...(server.error !== undefined && { error: server.error }),
    tools: server.tools.length,
    toolNames: server.tools.map((tool) => tool.definition.name),
    expose: server.expose,
    refreshedAt: server.refreshedAt === undefined ? null : new Date(server.refreshedAt).toISOString(),
    warnings: server.warnings,
  }));
}

/** `get_functions_raw` (CONTRACT, "Tools"): what scripts can call, with whole schemas. */
export function getFunctionsRaw(view: CatalogueView, wanted: string | undefined): object[] {
  const only = wanted === undefined ? undefined : findServer(view, wanted).server;
  const alias = new Map(view.servers.map((server) => [server.server, server.alias ?? null]));
  return view.functions
    .filter((tool) => only === undefined || tool.server === only)
    .map(({ server, namespace, snakeName, definition }) => ({
      server,
      alias: alias.get(server) ?? null,
      namespace,
      tool: snakeName,
      originalName: definition.name,
      description: definition.description ?? '',
      inputSchema: definition.inputSchema,
      outputSchema: definition.outputSchema ?? null,
    }));
}
