import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import type { ToolDefinition, ToolResult } from '../tool.ts';

/** What the inbound client can do for an upstream. An upstream is told only of what stands here. */
export interface InboundClient {
  /** As the client declared them (`elicitation`, `sampling`, `roots`). */
  capabilities: JsonObject;
  /**
   * The one client session that answers: requests then use a connection of their own. Without it only an upstream of the
   * modern era learns of the capabilities, and its `input_required` results come back as they are.
   */
  session?: {
    id: string;
    /**
     * Carries the upstream's request (`elicitation/create`, …) to the client; its result goes back unchanged. Absent where
     * the client's answer would not come back here: such an upstream learns of no capabilities.
     */
    answer?: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
    /** Carries the upstream's notification (`notifications/message`, …) to the client. */
    notify?: (method: string, params: JsonObject) => void;
  };
  /** The least severe log messages it wants of this request; only with a session, whose `notify` gets them. */
  logLevel?: string;
  /** Whether the session is there for log messages alone. */
  onlyHears?: boolean;
}

/** The lists whose change an upstream can announce. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** What accompanies one request to an upstream. */
export interface RequestOptions {
  /** On whose behalf: decides the forwarded identity, and with it which connection is used. */
  caller: Caller;
  signal?: AbortSignal;
  /** Milliseconds until `call_timeout`. */
  timeoutMs?: number;
  /** The upstream's own progress; asked for only when given. */
  onProgress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  /** `_meta` fields to pass on (trace context, a client's own). */
  meta?: JsonObject;
  /** Absent: nothing is declared to the upstream. */
  client?: InboundClient;
  /** Told of what is odd but not fatal, e.g. a list whose pages repeat. */
  onWarning?: (text: string) => void;
}

/** One call of a tool. */
export interface ToolCall {
  /** The upstream's own name. */
  name: string;
  arguments: JsonObject;
  /** Lets `Mcp-Param-*` headers be formed. */
  definition?: ToolDefinition;
  /** The client's answers to an earlier `input_required` result, with the state that came with it. */
  inputResponses?: JsonObject;
  requestState?: string;
}

/** One upstream MCP server, connected on demand. Failures are `CodeModeError`s fit for a client. */
export interface Upstream {
  /** `upstream[].name`. */
  readonly name: string;
  /** All pages, in the upstream's order. */
  listTools(options: RequestOptions): Promise<ToolDefinition[]>;
  callTool(call: ToolCall, options: RequestOptions): Promise<ToolResult>;
  /** Any other MCP request (resources, prompts, completion), losslessly. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** What the upstream declared at its handshake; connects if need be. */
  capabilities(options: RequestOptions): Promise<JsonObject>;
  /** Told when the upstream says that its lists changed; returns the function that stops the telling. */
  onListChanged(listener: (kind: ListKind) => void): () => void;
  /** Told when a connection broke or could not be made; returns the function that stops the telling. */
  onLost(listener: () => void): () => void;
  /** Ends the connections that belong to this client session. */
  endSession(id: string): Promise<void>;
  close(): Promise<void>;
}
