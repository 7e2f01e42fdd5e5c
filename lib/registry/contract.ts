import type { JsonObject } from '../json.ts';
import type { Exposure, Tool, ToolDefinition } from '../tool.ts';

/** State of an upstream; `stale` keeps an old catalogue of a server that cannot be reached now. */
export type ServerState = 'connected' | 'connecting' | 'failed' | 'stale';

/** What is known of one upstream's catalogue at a time. */
export interface ServerSnapshot {
  server: string;
  state: ServerState;
  /** Why it failed, fit for a client. */
  error?: string;
  tools: ToolDefinition[];
  /** Raw `resources/list`, `resources/templates/list` and `prompts/list` entries, where exposed. */
  resources?: JsonObject[];
  resourceTemplates?: JsonObject[];
  prompts?: JsonObject[];
  /** The upstream's own capabilities, as it declared them. */
  capabilities?: JsonObject;
  /** What was odd about its lists. */
  warnings?: string[];
  /** Milliseconds since the epoch of the last complete listing. */
  refreshedAt?: number;
}

/** Keeps snapshots between processes: memory locally, DynamoDB on AWS. */
export interface RegistryCache {
  read(): Promise<ServerSnapshot[]>;
  /** Replaces one server's snapshot; a no-op where nothing changed. */
  write(snapshot: ServerSnapshot): Promise<void>;
}

/** A server as the registry shows it. */
export interface CatalogueServer extends Omit<ServerSnapshot, 'tools' | 'warnings'> {
  alias?: string;
  namespace: string;
  transport: 'stdio' | 'http' | 'sse';
  expose: Exposure;
  tools: Tool[];
  /** E.g. tools whose names could not be resolved, a list whose pages repeat. */
  warnings: string[];
  /** Those of the warnings that name a tool, which only those who may see the tool are told. */
  toolWarnings?: { tool: string; text: string }[];
}

/** All servers and tools, named; immutable. Two with the same `version` are equal but for `refreshedAt`. */
export interface Catalogue {
  version: string;
  servers: readonly CatalogueServer[];
}

/** The catalogue as one caller may see it: `expose`, `tool_expose` and rights applied. */
export interface CatalogueView {
  /** Differs wherever what may be seen differs: the key for every cache of rendered text. */
  key: string;
  servers: readonly CatalogueServer[];
  /** Callable from code, in catalogue order. */
  functions: readonly Tool[];
  /** Offered as direct tools, in catalogue order. */
  proxies: readonly Tool[];
}
