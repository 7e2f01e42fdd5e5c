import type { JsonObject } from './json.ts';

/** A tool exactly as its upstream listed it; unknown fields are kept (MCP `Tool`). */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
  _meta?: JsonObject;
  [other: string]: unknown;
}

/** Where a server's tools are offered: directly, as functions in code, or both. */
export type Exposure = 'both' | 'proxy' | 'code';

/** As `Exposure`, and `none` hides a single tool altogether. */
export type ToolExposure = Exposure | 'none';

/** A tool with its place among our names; `definition.name` is the upstream's original name. */
export interface Tool {
  /** `upstream[].name` of its server. */
  server: string;
  /** First half of every name: the alias, else the server's name made an identifier. */
  namespace: string;
  /** `namespace.snakeName(…)` in JavaScript, TypeScript and Lua. */
  snakeName: string;
  /** `namespace.CamelName(…)` in Go. */
  camelName: string;
  /** Name of the direct tool, `[A-Za-z0-9_-]{1,56}`. */
  directName: string;
  definition: ToolDefinition;
}

/** A content block of a tool result; unknown kinds and fields are kept (MCP `ContentBlock`). */
export interface ContentBlock {
  type: string;
  [other: string]: unknown;
}

/** A tool's result exactly as its upstream gave it (MCP `CallToolResult`). */
export interface ToolResult {
  content?: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: JsonObject;
  [other: string]: unknown;
}
