import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import type { ToolDefinition, ToolResult } from '../tool.ts';

/** What accompanies one request to an upstream. */
export interface RequestOptions {
  /** On whose behalf: decides the forwarded identity, and with it which connection is used. */
  caller: Caller;
  signal?: AbortSignal;
  /** Milliseconds until `call_timeout`. */
  timeoutMs?: number;
  /** The upstream's own progress; asked for only when given. */
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** `_meta` fields to pass on (trace context, a client's own). */
  meta?: JsonObject;
}

/** One upstream MCP server, connected on demand. Failures are `CodeModeError`s fit for a client. */
export interface Upstream {
  /** `upstream[].name`. */
  readonly name: string;
  /** All pages, in the upstream's order. */
  listTools(options: RequestOptions): Promise<ToolDefinition[]>;
  /** `name` is the upstream's own; the definition, when known, lets `Mcp-Param-*` headers be formed. */
  callTool(
    call: { name: string; arguments: JsonObject; definition?: ToolDefinition },
    options: RequestOptions,
  ): Promise<ToolResult>;
  /** Any other MCP request (resources, prompts, completion), losslessly. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Told when the upstream says that its lists changed; returns the function that stops the telling. */
  onListChanged(listener: (kind: 'tools' | 'resources' | 'prompts') => void): () => void;
  close(): Promise<void>;
}
