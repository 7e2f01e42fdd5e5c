import { createHash } from 'node:crypto';
import { namespaceOf } from '../config/namespace.ts';
import { libraryWarning } from '../config/reserved-names.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import type { Tool } from '../tool.ts';
import type { Catalogue, CatalogueServer, ServerSnapshot } from './contract.ts';
import { distinctDirectName, nameTools } from './names.ts';

/**
 * Names everything that is known of the upstreams: servers in the order of the configuration, tools in their upstream's.
 * A server without a snapshot is `connecting`.
 */
export function buildCatalogue(upstreams: readonly UpstreamConfig[], snapshots: readonly ServerSnapshot[]): Catalogue {
  const byName = new Map(snapshots.map((snapshot) => [snapshot.server, snapshot]));
  const servers = upstreams.map((config) => {
    const snapshot = byName.get(config.name) ?? { server: config.name, state: 'connecting' as const, tools: [] };
    return nameServer(config, snapshot);
  });
  distinguish(servers);
  return Object.freeze({ version: versionOf(upstreams, byName), servers: Object.freeze(servers) });
}

/** Digests of snapshots, which are never changed: those of hundreds of tools are not to be made for every request. */
const digests = new WeakMap<ServerSnapshot, string>();

function versionOf(upstreams: readonly UpstreamConfig[], byName: ReadonlyMap<string, ServerSnapshot>): string {
  const parts = upstreams.map(({ name, alias, transport, expose }) => {
    const snapshot = byName.get(name);
    return [name, alias, transport, expose, snapshot && digestOf(snapshot)];
  });
  return sha256(JSON.stringify(parts)).slice(0, 32);
}

function digestOf(snapshot: ServerSnapshot): string {
  const known = digests.get(snapshot);
  if (known !== undefined) return known;
  const digest = sha256(JSON.stringify({ ...snapshot, refreshedAt: undefined }));
  digests.set(snapshot, digest);
  return digest;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function nameServer(config: UpstreamConfig, snapshot: ServerSnapshot): CatalogueServer {
  const namespace = namespaceOf(config);
  const { tools: definitions, warnings: odd = [], ...rest } = snapshot;
  const { names, warnings } = nameTools(
    namespace,
    definitions.map(({ name }) => name),
  );
  const tools = definitions.flatMap((definition, i): Tool[] => {
    const named = names[i];
    return named ? [{ server: config.name, namespace, ...named, definition }] : [];
  });
  return {
    ...rest,
    ...(config.alias !== undefined && { alias: config.alias }),
    namespace,
    transport: config.transport,
    expose: config.expose,
    tools,
    warnings: [...shadowed(namespace), ...odd, ...warnings.map(({ text }) => text)],
    toolWarnings: warnings,
  };
}

/** What scripts lose to a namespace of this name. */
function shadowed(namespace: string): string[] {
  const warning = libraryWarning(namespace);
  return warning === undefined ? [] : [`The namespace ${warning}.`];
}

/** `a` with `b__c` and `a__b` with `c` would share a direct name: both then carry their hash. */
function distinguish(servers: readonly CatalogueServer[]): void {
  const owners = new Map<string, Tool[]>();
  for (const tool of servers.flatMap(({ tools }) => tools)) {
    owners.set(tool.directName, [...(owners.get(tool.directName) ?? []), tool]);
  }
  for (const tools of owners.values()) {
    if (tools.length < 2) continue;
    for (const tool of tools) {
      tool.directName = distinctDirectName(tool.directName, tool.namespace, tool.definition.name);
    }
  }
}
