import type { Caller } from '../access/caller.ts';
import type { UpstreamConfig } from '../config/schema.ts';
import { CodeModeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { ToolDefinition } from '../tool.ts';
import type { RequestOptions, Upstream } from '../upstream/contract.ts';
import { listPages } from '../upstream/list-pages.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import type { ServerSnapshot } from './contract.ts';

/**
 * Lists what an upstream offers to a caller, within `connect_timeout_s` altogether. Never throws: on failure what was known
 * before stays, as `stale`, or the server is `failed`. A server is asked only for what it declared,
 * and for tools.
 */
export async function takeSnapshot(
  config: UpstreamConfig,
  upstream: Upstream,
  caller: Caller,
  previous: ServerSnapshot | undefined,
  now: number,
): Promise<ServerSnapshot> {
  const warnings: string[] = [];
  const timeoutMs = config.connect_timeout_s * 1000;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), timeoutMs);
  const options = { caller, timeoutMs, signal: end.signal, onWarning: (text: string) => warnings.push(text) };
  try {
    const capabilities = await upstream.capabilities(options);
    const [tools, resources, resourceTemplates, prompts] = await Promise.all([
      isJsonObject(capabilities['tools']) ? upstream.listTools(options) : undeclaredTools(upstream, options),
      list('resources', 'resources/list', 'resources', exposesResources(config)),
      list('resources', 'resources/templates/list', 'resourceTemplates', exposesResources(config)),
      list('prompts', 'prompts/list', 'prompts', exposesPrompts(config)),
    ]);
    return {
      server: config.name,
      state: 'connected',
      tools,
      ...(resources && { resources }),
      ...(resourceTemplates && { resourceTemplates }),
      ...(prompts && { prompts }),
      capabilities,
      ...(warnings.length > 0 && { warnings }),
      refreshedAt: now,
    };

    /** Undefined where the upstream has none or they are not exposed; a list that fails leaves a warning, not a dead server. */
    async function list(
      capability: string,
      method: string,
      key: 'resources' | 'resourceTemplates' | 'prompts',
      exposed: boolean,
    ): Promise<JsonObject[] | undefined> {
      if (!exposed || !isJsonObject(capabilities[capability])) return undefined;
      try {
        return await listPages((params) => upstream.request(method, params, options), key, options.onWarning);
      } catch (error) {
        if (end.signal.aborted || !(error instanceof CodeModeError) || error.code !== 'tool_failed') throw error;
        if (method !== 'resources/templates/list') warnings.push(`It could not list its ${key}: ${error.message}`);
        return [];
      }
    }
  } catch (error) {
    // Two clocks bound a listing, ours and the request's own; whichever rings first means the same.
    const tooLate = end.signal.aborted || (error instanceof CodeModeError && error.code === 'call_timeout');
    const message = tooLate ? late(config) : messageOf(error, config);
    const known = previous?.refreshedAt !== undefined;
    if (known) return { ...previous, state: 'stale', error: message };
    return { server: config.name, state: 'failed', error: message, tools: [] };
  } finally {
    clearTimeout(timer);
  }
}

/** Some servers have tools and do not say so; those that have none answer with an error. */
function undeclaredTools(upstream: Upstream, options: RequestOptions): Promise<ToolDefinition[]> {
  return upstream.listTools(options).catch((error: unknown) => {
    if (error instanceof UpstreamError) return [];
    throw error;
  });
}

function late({ name, connect_timeout_s, command }: UpstreamConfig): string {
  const text = `Server "${name}" did not list its tools within ${connect_timeout_s} s (connect_timeout_s).`;
  if (command !== 'npx') return text;
  return `${text} npx may be downloading it: run its command once by hand, in the configuration's folder or its working_dir.`;
}

function messageOf(error: unknown, { name, catalogue, transport }: UpstreamConfig): string {
  if (!(error instanceof CodeModeError)) return `Server "${name}" could not be listed.`;
  const wantsUser = catalogue === 'shared' && transport !== 'stdio' && /HTTP 40[13]/.test(error.message);
  return wantsUser ? `${error.message} If it lists nothing without a user, set catalogue: per_user.` : error.message;
}

function exposesResources(config: UpstreamConfig): boolean {
  return config.expose_resources ?? config.expose !== 'code';
}

function exposesPrompts(config: UpstreamConfig): boolean {
  return config.expose_prompts ?? config.expose !== 'code';
}
