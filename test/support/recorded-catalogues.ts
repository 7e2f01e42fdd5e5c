import { readdirSync, readFileSync } from 'node:fs';
import { type Config, configSchema } from '../../lib/config/schema.ts';
import { buildCatalogue } from '../../lib/registry/catalogue.ts';
import type { CatalogueView, ServerSnapshot } from '../../lib/registry/contract.ts';
import { viewCatalogue } from '../../lib/registry/view.ts';
import type { ToolDefinition } from '../../lib/tool.ts';

const FOLDER = new URL('../catalogs/', import.meta.url);

/** A server of a test: what the configuration says of it, and what is known of it. */
export interface TestServer extends Partial<ServerSnapshot> {
  server: string;
  alias?: string;
}

/** The recorded servers under short aliases: `server-filesystem` is `filesystem`. */
export const RECORDED: (TestServer & { alias: string })[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    server: file.replace('.json', ''),
    alias: file.replace(/^server-|-mcp(-server)?\.json$|\.json$/g, ''),
    tools: (JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { tools: ToolDefinition[] }).tools,
  }));

/** The view of a caller who may use everything of these servers, named as the registry names them. */
export function viewOf(servers: readonly TestServer[]): CatalogueView {
  const upstream = servers.map(({ server, alias }) => ({ name: server, alias, transport: 'stdio', command: 'x' }));
  const config: Config = configSchema.parse({ upstream });
  const snapshots = servers.map(
    ({ alias: _, ...known }): ServerSnapshot => ({ state: 'connected', tools: [], ...known }),
  );
  return viewCatalogue(
    buildCatalogue(config.upstream, snapshots),
    () => 'both',
    () => true,
    'test',
  );
}

/** All seven recorded servers together. */
export function recordedView(): CatalogueView {
  return viewOf(RECORDED);
}
