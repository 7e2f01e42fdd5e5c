import { ProtocolError } from '@modelcontextprotocol/server';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import { askUpstream } from '../run/ask-upstream.ts';
import { shownName } from '../shown-name.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { asProtocolError } from './as-protocol-error.ts';
import { withInput } from './input-required.ts';
import type { Method, MethodContext } from './method.ts';
import { passedOn } from './passed-on.ts';
import { createProgress } from './progress.ts';
import { RPC } from './responses.ts';
import { serversOfUri, serversWith, sharedPrompts, sharedResources } from './shared-lists.ts';

/** MCP's code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/** `resources/list` and `resources/templates/list`. */
export function listResources(key: 'resources' | 'resourceTemplates', cache: JsonObject): Method {
  return async (_params, context) => ({ [key]: sharedResources(await servers('resources', context), key), ...cache });
}

/** `prompts/list`. */
export function listPrompts(cache: JsonObject): Method {
  return async (_params, context) => {
    const prompts = sharedPrompts(await servers('prompts', context));
    return { prompts: [...prompts.values()].map(({ name, definition }) => ({ ...definition, name })), ...cache };
  };
}

/** `resources/read`, `resources/subscribe` and `resources/unsubscribe`: asked of the server that has the URI. */
export const useResource =
  (method: string): Method =>
  async (params, context) => {
    const { uri } = params;
    if (typeof uri !== 'string') throw new ProtocolError(RPC.invalidParams, `${method} needs params.uri, a string`);
    let failure: unknown;
    for (const { server } of serversOfUri(await servers('resources', context), uri)) {
      try {
        return await ask(server, method, params, context);
      } catch (error) {
        failure ??= error;
      }
    }
    throw (
      failure ??
      new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${shownName(uri)}; resources/list shows what there is`)
    );
  };

/** `prompts/get`, under the upstream's own name. */
export const getPrompt: Method = async (params, context) => {
  const { name } = params;
  const prompts = sharedPrompts(await servers('prompts', context));
  const prompt = typeof name === 'string' ? prompts.get(name) : undefined;
  if (!prompt) throw unknownPrompt(String(name), prompts.keys());
  return ask(prompt.server, 'prompts/get', { ...params, name: prompt.definition.name! }, context);
};

/** `completion/complete` for an argument of a prompt or of a resource template. */
export const complete: Method = async (params, context) => {
  const ref = isJsonObject(params.ref) ? params.ref : {};
  if (ref.type === 'ref/prompt') {
    const prompts = sharedPrompts(await servers('prompts', context));
    const prompt = prompts.get(String(ref.name));
    if (!prompt) throw unknownPrompt(String(ref.name), prompts.keys());
    const own = { ...params, ref: { ...ref, name: prompt.definition.name! } };
    return ask(prompt.server, 'completion/complete', own, context);
  }
  const [server] = serversOfUri(await servers('resources', context), String(ref.uri));
  if (server) return ask(server.server, 'completion/complete', params, context);
  throw new ProtocolError(RPC.invalidParams, 'params.ref must name a listed prompt or resource template');
};

async function servers(kind: 'resources' | 'prompts', { services, peer }: MethodContext) {
  const view = services.view(await services.catalogue(peer.caller), peer.caller);
  return serversWith(kind, view, services, peer.caller);
}

/** Asks an upstream, handing its errors through as they are. */
async function ask(server: string, method: string, params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const { services, peer, signal, meta } = context;
  // Updates of a resource go to the session, which needs a connection of its own for them.
  const client = method === 'resources/subscribe' ? peer.link?.bind() : context.client;
  const { _meta, ...rest } = params;
  const progress = createProgress(meta, (notice) => context.notify('notifications/progress', notice));
  try {
    return await withInput(context, `${method} ${String(params.name ?? params.uri)}`, async (input) => {
      const result = await askUpstream(services, {
        server,
        method,
        params: { ...rest, ...input },
        caller: peer.caller,
        signal,
        deadline: peer.deadline,
        meta: passedOn(meta),
        ...(progress && { onProgress: (told) => progress.relay(told) }),
        ...(client && { client }),
      });
      if (result.resultType === 'input_required') return result;
      const { resultType, ...whole } = result;
      return whole;
    });
  } catch (error) {
    if (error instanceof UpstreamError) throw asProtocolError(error);
    if (error instanceof CodeModeError) throw new ProtocolError(RPC.internal, `${error.code}: ${error.message}`);
    throw error;
  } finally {
    progress?.end();
  }
}

function unknownPrompt(name: string, known: Iterable<string>): ProtocolError {
  const near = nearest(name, known);
  const hint = near === undefined ? 'prompts/list shows what there is' : `did you mean ${near}?`;
  return new ProtocolError(RPC.invalidParams, `Unknown prompt: ${shownName(name)}; ${hint}`);
}
