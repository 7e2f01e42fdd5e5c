import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { CatalogueServer, CatalogueView } from '../registry/contract.ts';
import { nameTools } from '../registry/names.ts';
import { opens } from '../run/call-tool.ts';
import type { ServerServices } from './services.ts';
import { matchesTemplate } from './uri-template.ts';

/** The servers of a view whose resources, or prompts, this caller may use. */
export function serversWith(
  kind: 'resources' | 'prompts',
  view: CatalogueView,
  services: ServerServices,
  caller: Caller,
): CatalogueServer[] {
  return view.servers.filter(({ server, capabilities }) => {
    if (capabilities !== undefined && !isJsonObject(capabilities[kind])) return false;
    const entry = services.config.upstream.find(({ name }) => name === server);
    const switched = kind === 'resources' ? entry?.expose_resources : entry?.expose_prompts;
    // They follow the server's own exposure, which is what a tool without a rule of its own has.
    return switched ?? opens(services.exposure(server, '', caller), 'proxy');
  });
}

/** A prompt under our name. */
export interface SharedPrompt {
  server: string;
  name: string;
  definition: JsonObject;
}

/** Prompts by our names: `alias__prompt`, cleaned and bounded as tools' names are; the first of equal names is kept. */
export function sharedPrompts(servers: readonly CatalogueServer[]): Map<string, SharedPrompt> {
  const prompts = new Map<string, SharedPrompt>();
  for (const { server, namespace, prompts: definitions = [] } of servers) {
    const { names } = nameTools(
      namespace,
      definitions.map((definition) => String(definition.name)),
    );
    for (const [at, definition] of definitions.entries()) {
      const name = names[at]?.directName;
      if (name !== undefined && !prompts.has(name)) prompts.set(name, { server, name, definition });
    }
  }
  return prompts;
}

/** Resources, or their templates, as clients list them: the name says whose it is, the URI stays what results link to. */
export function sharedResources(
  servers: readonly CatalogueServer[],
  key: 'resources' | 'resourceTemplates',
): JsonObject[] {
  const seen = new Set<string>();
  return servers.flatMap((server) =>
    (server[key] ?? []).flatMap((resource) => {
      const uri = String(key === 'resources' ? resource.uri : resource.uriTemplate);
      if (seen.has(uri)) return [];
      seen.add(uri);
      return [{ ...resource, name: `${server.namespace}__${String(resource.name ?? uri)}` }];
    }),
  );
}

/** The servers that may have a URI, likeliest first: those that list it, those with a template for it, then the others. */
export function serversOfUri(servers: readonly CatalogueServer[], uri: string): CatalogueServer[] {
  const rank = ({ resources = [], resourceTemplates = [] }: CatalogueServer): number => {
    if (resources.some((resource) => resource.uri === uri)) return 0;
    const templates = resourceTemplates.map(({ uriTemplate }) => String(uriTemplate));
    if (templates.includes(uri)) return 0;
    return templates.some((template) => matchesTemplate(template, uri)) ? 1 : 2;
  };
  const ranked = servers.map((server) => ({ server, rank: rank(server) })).toSorted((a, b) => a.rank - b.rank);
  // Where somebody lists it, nobody else is asked: a URI may say more than another server should know.
  const best = ranked[0]?.rank;
  return ranked.filter(({ rank: own }) => own === best).map(({ server }) => server);
}
