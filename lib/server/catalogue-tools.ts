import { findServer } from '../describe/servers.ts';
import type { Catalogue, CatalogueServer, CatalogueView } from '../registry/contract.ts';

/** `list_servers` (CONTRACT, "Tools"): the servers a caller may know of; an administrator (`auth.admins`) knows of all. */
export function listServers(view: CatalogueView, catalogue: Catalogue, admin: boolean): object[] {
  const servers = admin ? catalogue.servers.map((server) => administered(server, view)) : view.servers;
  return servers.map((server) => ({
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

/** A server with every warning, but with those tools only that the administrator may use: the right to know opens none. */
function administered(server: CatalogueServer, view: CatalogueView): CatalogueServer {
  const tools = view.servers.find((seen) => seen.server === server.server)?.tools ?? [];
  const closed = server.tools.length - tools.length;
  if (closed === 0) return server;
  const note = `${closed} of its ${server.tools.length} tools are closed to you, and not shown.`;
  return { ...server, tools, warnings: [...server.warnings, note] };
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
