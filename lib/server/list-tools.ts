import { createViewCache } from '../run/view-cache.ts';
import type { Tool, ToolDefinition } from '../tool.ts';

/** Keys of `_meta` that tell a renamed tool's origin. */
const ORIGIN_META = 'mcp-code-mode/origin';

/** The direct tools of a view as clients list them, and by name; computed once a view. */
export const proxiesOf = createViewCache(({ proxies }) => ({
  tools: proxies.map(proxyDefinition),
  byName: new Map(proxies.map((tool) => [tool.directName, tool])),
}));

/** The upstream's definition under our name, otherwise unchanged; a name that does not show its origin tells it in `_meta`. */
function proxyDefinition({ definition, directName, namespace, server }: Tool): ToolDefinition {
  const renamed = { ...definition, name: directName };
  if (directName === `${namespace}__${definition.name}`) return renamed;
  return {
    ...renamed,
    title: definition.title ?? definition.name,
    _meta: { ...definition._meta, [ORIGIN_META]: { server, tool: definition.name } },
  };
}
