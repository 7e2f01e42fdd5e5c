import { ProtocolError } from '@modelcontextprotocol/server';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { callTool } from '../run/call-tool.ts';
import { settledCatalogue, unavailable } from '../run/settled-catalogue.ts';
import { shownName } from '../shown-name.ts';
import type { Tool, ToolResult } from '../tool.ts';
import type { InboundClient } from '../upstream/contract.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { asProtocolError } from './as-protocol-error.ts';
import { withInput } from './input-required.ts';
import { proxiesOf } from './list-tools.ts';
import type { Method, MethodContext } from './method.ts';
import { ownTools } from './own-tools.ts';
import { passedOn } from './passed-on.ts';
import { createProgress } from './progress.ts';
import { RPC } from './responses.ts';

/** `tools/call`: one of our own tools, or an upstream's. */
export const callToolMethod: Method = async (params, context) => {
  const { name } = params;
  if (typeof name !== 'string') throw new ProtocolError(RPC.invalidParams, 'tools/call needs params.name, a string');
  const given = params.arguments ?? {};
  if (!isJsonObject(given)) throw new ProtocolError(RPC.invalidParams, 'params.arguments must be an object');
  const { services, peer, meta, signal } = context;
  services.log('debug', 'mcp call tool', { tool: shownName(name), session: peer.session });

  const own = ownTools.get(name);
  const named = (namespace: string) => !own && name.startsWith(`${namespace}__`);
  const { catalogue, view } = await settledCatalogue(services, peer.caller, named, signal);
  const progress = createProgress(meta, (notice) => context.notify('notifications/progress', notice));
  try {
    if (own) {
      const result = await own.answer(given, {
        services,
        catalogue,
        view,
        caller: peer.caller,
        signal,
        meta: passedOn(meta),
        ...(peer.deadline !== undefined && { deadline: peer.deadline }),
        ...(progress && { onStep: (step) => progress.step(step) }),
        ...scriptClient(context),
      });
      return result as JsonObject;
    }
    const tool = proxiesOf(view).byName.get(name);
    const silent = view.servers.find(
      ({ tools, state, namespace }) => tools.length === 0 && state !== 'connected' && named(namespace),
    );
    if (!tool && silent)
      return failedResult(new CodeModeError('upstream_unavailable', unavailable(silent))) as JsonObject;
    if (!tool) throw unknownTool(name, view, [...ownTools.keys()]);
    const result = await callProxy(tool, given, context, progress);
    progress?.end(name);
    return result;
  } finally {
    progress?.end();
  }
};

/** A script waits for its calls, so only what reaches the client meanwhile is of use to it: no questions that come back. */
function scriptClient({ client }: MethodContext): { client?: InboundClient } {
  if (!client?.session) return {};
  return { client: client.session.answer ? client : { ...client, capabilities: {} } };
}

async function callProxy(
  tool: Tool,
  args: JsonObject,
  context: MethodContext,
  progress: ReturnType<typeof createProgress>,
): Promise<JsonObject> {
  const { services, peer, meta, signal, server, client } = context;
  try {
    return await withInput(context, `tool ${tool.directName}`, async (input) => {
      const result = await callTool(services, {
        tool,
        arguments: args,
        caller: peer.caller,
        via: 'proxy',
        signal,
        deadline: peer.deadline,
        meta: passedOn(meta),
        ...input,
        ...(client && { client }),
        ...(progress && { onProgress: (told) => progress.relay(told) }),
      });
      if (result.resultType === 'input_required') return result as JsonObject;
      const { resultType, ...rest } = result;
      const whole = { ...rest, content: result.content ?? [] };
      // Shapes that the client's era does not know are brought into its own.
      return server.projectCallToolResult(whole as never, tool.definition.outputSchema) as JsonObject;
    });
  } catch (error) {
    if (error instanceof UpstreamError) throw asProtocolError(error);
    if (error instanceof CodeModeError) return failedResult(error) as JsonObject;
    throw error;
  }
}

/** A failure of a tool as its result, so that the model sees it. */
export function failedResult(error: CodeModeError): ToolResult {
  return { content: [{ type: 'text', text: `${error.code}: ${error.message}` }], isError: true };
}

function unknownTool(name: string, view: CatalogueView, own: string[]): ProtocolError {
  const near = nearest(name, [...own, ...proxiesOf(view).byName.keys()]);
  const hint = near === undefined ? 'tools/list shows what there is' : `did you mean ${near}?`;
  return new ProtocolError(RPC.invalidParams, `Unknown tool: ${shownName(name)}; ${hint}`);
}
