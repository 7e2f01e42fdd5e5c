import { readdirSync, readFileSync } from 'node:fs';
import type { CatalogueServer, CatalogueView } from '../../lib/registry/contract.ts';
import type { Tool, ToolDefinition } from '../../lib/tool.ts';

const FOLDER = new URL('../catalogs/', import.meta.url);

/** Short names of the recorded servers, used as aliases: `server-filesystem.json` → `filesystem`. */
export const RECORDED = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    file,
    alias: file.replace(/^server-|-mcp(-server)?\.json$|\.json$/g, '').replace(/-mcp-server/, ''),
  }));

/** The tools of one recorded server, as it listed them. */
export function recordedTools(file: string): ToolDefinition[] {
  return (JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { tools: ToolDefinition[] }).tools;
}

/** A connected server with these tools. */
export function serverOf(alias: string, server: string, definitions: ToolDefinition[]): CatalogueServer {
  const tools = definitions.map((definition): Tool => {
    const words = definition.name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
    const joined = words.map((word) => word.toLowerCase()).join('_');
    const snakeName = joined === 'export' ? 'export_' : joined;
    const camelName = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    return { server, namespace: alias, snakeName, camelName, directName: `${alias}__${snakeName}`, definition };
  });
  return {
    server,
    alias,
    namespace: alias,
    transport: 'stdio',
    state: 'connected',
    expose: 'both',
    tools,
    warnings: [],
  };
}

/** A view of these servers in which everything may be used. */
export function viewOf(servers: CatalogueServer[]): CatalogueView {
  const tools = servers.flatMap((server) => server.tools);
  return { key: servers.map(({ namespace }) => namespace).join(), servers, functions: tools, proxies: tools };
}

/** All seven recorded servers together. */
export function recordedView(): CatalogueView {
  return viewOf(RECORDED.map(({ file, alias }) => serverOf(alias, file.replace('.json', ''), recordedTools(file))));
}
