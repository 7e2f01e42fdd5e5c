import { randomUUID } from 'node:crypto';
import { configSchema } from '../../lib/config/schema.ts';
import type { JsonObject } from '../../lib/json.ts';
import { silent } from '../../lib/log.ts';
import type { Catalogue, CatalogueServer, CatalogueView } from '../../lib/registry/contract.ts';
import type { CallReply, HostFunction, Outcome, Program, Sandbox } from '../../lib/sandbox/contract.ts';
import type { ChangedList, ServerServices } from '../../lib/server/services.ts';
import { createMemorySessions } from '../../lib/session/memory.ts';
import { createMemoryAnswers } from '../../lib/session/memory-answers.ts';
import type { Tool, ToolDefinition, ToolExposure, ToolResult } from '../../lib/tool.ts';
import type { RequestOptions, Upstream } from '../../lib/upstream/contract.ts';

/** What a scripted program can do. */
export interface ScriptTools {
  /** Calls a function by its snake name. */
  call(name: string, args?: unknown): Promise<CallReply>;
  functions: readonly HostFunction[];
  program: Program;
  signal: AbortSignal;
}

/** A sandbox for tests of what surrounds it: a program's code is the name of one of these functions. */
export type Scripts = Record<string, (tools: ScriptTools) => Promise<Partial<Outcome> & { ok: boolean }>>;

/** How a stub upstream answers one tool. */
export type StubTool = (args: JsonObject, options: RequestOptions) => Promise<ToolResult> | ToolResult;

type StubServers = Record<string, Record<string, { definition?: Partial<ToolDefinition>; answer: StubTool }>>;

export interface StubOptions {
  config?: JsonObject;
  /** Servers by namespace; their tools by original name. */
  servers?: StubServers;
  /** What the servers are after `announce`. */
  later?: StubServers;
  scripts?: Scripts;
  exposure?: (server: string, name: string) => ToolExposure;
  overrides?: Partial<ServerServices>;
}

/** Services for tests, all in this process; `announce` plays a change of the catalogue. */
export function stubServices(options: StubOptions = {}): ServerServices & { announce(lists: ChangedList[]): void } {
  const { servers = {}, scripts = {}, exposure = () => 'both' as const } = options;
  const listeners = new Set<(lists: readonly ChangedList[]) => void>();
  const known = (all: StubServers) => {
    const entries = Object.entries(all).map(([name, tools]) => server(name, tools));
    const catalogue: Catalogue = { version: '1', servers: entries };
    return { catalogue, view: viewOf(catalogue, exposure) };
  };
  let now = known(servers);
  const base: ServerServices = {
    config: configSchema.parse({ languages: ['javascript', 'lua'], ...options.config }),
    log: silent,
    now: () => Date.now(),
    catalogue: async () => now.catalogue,
    view: () => now.view,
    exposure: (name, tool) => exposure(name, tool),
    upstream: (name) => (servers[name] ? stubUpstream(name, servers[name]) : undefined),
    sandbox: async () => stubSandbox(scripts),
    usage: { consume: async () => undefined },
    sessions: createMemorySessions(),
    answers: createMemoryAnswers(),
    holdsStreams: true,
    stateKey: async () => new Uint8Array(32).fill(7),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    randomId: () => randomUUID(),
  };
  return {
    ...base,
    ...options.overrides,
    announce: (lists) => {
      if (options.later) now = known(options.later);
      for (const listener of listeners) listener(lists);
    },
  };
}

function server(name: string, tools: Record<string, { definition?: Partial<ToolDefinition> }>): CatalogueServer {
  return {
    server: name,
    namespace: name,
    transport: 'stdio',
    expose: 'both',
    state: 'connected',
    warnings: [],
    refreshedAt: 0,
    capabilities: { tools: {} },
    tools: Object.entries(tools).map(([tool, { definition }]) => toolOf(name, tool, definition)),
  };
}

function toolOf(namespace: string, name: string, definition: Partial<ToolDefinition> = {}): Tool {
  const snakeName = name.replaceAll('-', '_');
  const camelName = snakeName.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
  return {
    server: namespace,
    namespace,
    snakeName,
    camelName,
    directName: `${namespace}__${name}`,
    definition: { inputSchema: { type: 'object' }, ...definition, name },
  };
}

function viewOf(catalogue: Catalogue, exposure: (server: string, name: string) => ToolExposure): CatalogueView {
  const tools = catalogue.servers.flatMap((one) => one.tools);
  const exposed = (tool: Tool, way: ToolExposure) =>
    ['both', way].includes(exposure(tool.server, tool.definition.name));
  return {
    key: JSON.stringify(
      tools.map((tool) => [tool.directName, exposure(tool.server, tool.definition.name), tool.definition]),
    ),
    servers: catalogue.servers,
    functions: tools.filter((tool) => exposed(tool, 'code')),
    proxies: tools.filter((tool) => exposed(tool, 'proxy')),
  };
}

function stubUpstream(name: string, tools: Record<string, { answer: StubTool }>): Upstream {
  const none = () => () => {};
  return {
    name,
    listTools: async () => [],
    callTool: async (call: { name: string; arguments: JsonObject }, options: RequestOptions) =>
      tools[call.name]!.answer(call.arguments, options),
    request: async () => ({}),
    capabilities: async () => ({}),
    onListChanged: none,
    onLost: none,
    endSession: async () => {},
    close: async () => {},
  };
}

function stubSandbox(scripts: Scripts): Sandbox {
  return {
    languages: ['javascript', 'typescript', 'lua', 'go'],
    async run(program, functions, _limits, call, signal) {
      const script = scripts[program.code];
      if (!script) throw new Error(`the test has no script "${program.code}"`);
      const outcome = await script({
        functions,
        program,
        signal,
        call: (name, args = {}) => {
          const index = functions.findIndex((one) => `${one.namespace}.${one.snake}` === name);
          const [namespace, own = ''] = name.split('.');
          const text = index < 0 ? JSON.stringify({ namespace, name: own }) : JSON.stringify(args);
          return call({ function: index, args: text }, signal);
        },
      });
      return { logs: [], cpuMs: 1, ...outcome } as Outcome;
    },
    warm: async () => {},
    close: async () => {},
  };
}
