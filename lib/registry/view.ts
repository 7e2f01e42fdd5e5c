import { createHash } from 'node:crypto';
import type { Tool, ToolExposure } from '../tool.ts';
import type { Catalogue, CatalogueServer, CatalogueView } from './contract.ts';

/** A letter a tool, for the key of a view. */
const LETTER: Record<ToolExposure, string> = { both: 'b', proxy: 'p', code: 'c', none: 'n' };

/**
 * What one caller may see. A server all of whose tools are closed to the caller does not appear; one that has never been
 * listed (down, or still connecting) appears to those who may know of it. `key` tells apart what depends on more than
 * exposure; empty where nothing does.
 */
export function viewCatalogue(
  catalogue: Catalogue,
  exposureOf: (server: string, originalName: string) => ToolExposure,
  mayKnowOf: (server: string) => boolean,
  key: string,
): CatalogueView {
  const functions: Tool[] = [];
  const proxies: Tool[] = [];
  let exposures = '';
  const servers = catalogue.servers.flatMap((server): CatalogueServer[] => {
    const tools = server.tools.filter((tool) => {
      const exposure = exposureOf(tool.server, tool.definition.name);
      exposures += LETTER[exposure];
      if (exposure === 'both' || exposure === 'code') functions.push(tool);
      if (exposure === 'both' || exposure === 'proxy') proxies.push(tool);
      return exposure !== 'none';
    });
    const hidden = server.refreshedAt === undefined ? !mayKnowOf(server.server) : server.tools.length > 0;
    if (tools.length === 0 && hidden) {
      exposures += '-';
      return [];
    }
    const { toolWarnings = [], warnings, ...rest } = server;
    const closed = toolWarnings.filter(({ tool }) => exposureOf(server.server, tool) === 'none');
    const kept = toolWarnings.filter((warning) => !closed.includes(warning));
    const texts = new Set(closed.map(({ text }) => text));
    return [{ ...rest, tools, warnings: warnings.filter((text) => !texts.has(text)), toolWarnings: kept }];
  });
  const digest = createHash('sha256').update(exposures).digest('hex').slice(0, 16);
  return { key: `${catalogue.version}.${digest}.${key}`, servers, functions, proxies };
}
