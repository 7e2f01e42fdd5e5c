import { ProtocolError } from '@modelcontextprotocol/server';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { callTool } from '../run/call-tool.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { proxiesOf } from './list-tools.ts';
import type { Method, MethodContext } from './method.ts';
import { ownTools } from './own-tools.ts';
import { createProgress } from './progress.ts';
import { RPC } from './responses.ts';

/** `_meta` fields that are between us and our client; the rest (trace context, a client's own) passes on. */
const OWN_META = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/** `tools/call`: one of our own tools, or an upstream's. */
export const callToolMethod: Method = async (params, context) => {
  const { name } = params;
  if (typeof name !== 'string') throw new ProtocolError(RPC.invalidParams, 'tools/call needs params.name, a string');
  const given = params.arguments ?? {};
  if (!isJsonObject(given)) throw new ProtocolError(RPC.invalidParams, 'params.arguments must be an object');
  const { services, peer, meta, signal } = context;
  services.log('debug', 'mcp call tool', { tool: name, session: peer.session });

  const catalogue = await services.catalogue(peer.caller);
  const view = services.view(catalogue, peer.caller);
  const progress = createProgress(meta, (notice) => context.notify('notifications/progress', notice));
  const own = ownTools.get(name);
  try {
    if (own) {
      const result = await own(given, {
        services,
        catalogue,
        view,
        caller: peer.caller,
        signal,
        meta: passedOn(meta),
        ...(peer.deadline !== undefined && { deadline: peer.deadline }),
        ...(progress && { onStep: (step) => progress.step(step) }),
      });
      return result as JsonObject;
    }
    const tool = proxiesOf(view).byName.get(name);
    if (!tool) throw unknownTool(name, view, [...ownTools.keys()]);
    const result = await callProxy(tool, given, context, progress);
    progress?.end(name);
    return result;
  } finally {
    progress?.end();
  }
};

async function callProxy(
  tool: Tool,
  args: JsonObject,
  { services, peer, meta, signal, server }: MethodContext,
  progress: ReturnType<typeof createProgress>,
): Promise<JsonObject> {
  try {
    const result = await callTool(services, {
      tool,
      arguments: args,
      caller: peer.caller,
      via: 'proxy',
      signal,
      meta: passedOn(meta),
      ...(progress && { onProgress: (told) => progress.relay(told) }),
    });
    return asWritten(result, tool, peer.era, (value, schema) => server.projectCallToolResult(value as never, schema));
  } catch (error) {
    if (error instanceof CodeModeError) return failedResult(error) as JsonObject;
    throw error;
  }
}

/** A failure of a tool as its result, so that the model sees it. */
export function failedResult(error: CodeModeError): ToolResult {
  return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true };
}

/** The upstream's result for our client's era: shapes that era does not know are brought into its own. */
function asWritten(
  result: ToolResult,
  tool: Tool,
  era: 'legacy' | 'modern',
  project: (result: unknown, schema: JsonObject | undefined) => unknown,
): JsonObject {
  const { resultType, ...rest } = result;
  const whole: ToolResult = { ...rest, content: result.content ?? [] };
  if (era === 'modern' && resultType !== undefined) whole.resultType = resultType;
  return project(whole, tool.definition.outputSchema) as JsonObject;
}

function passedOn(meta: JsonObject | undefined): JsonObject {
  return Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => !OWN_META.test(key)));
}

function unknownTool(name: string, view: CatalogueView, own: string[]): ProtocolError {
  const near = nearest(name, [...own, ...proxiesOf(view).byName.keys()]);
  const hint = near === undefined ? 'tools/list shows what there is' : `did you mean ${near}?`;
  return new ProtocolError(RPC.invalidParams, `Unknown tool: ${name}; ${hint}`);
}
