import type { Caller } from '../access/caller.ts';
import { CodeModeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Tool, ToolExposure, ToolResult } from '../tool.ts';
import type { InboundClient, RequestOptions } from '../upstream/contract.ts';
import type { QuotaExceeded } from '../usage/contract.ts';
import { checkArguments } from './check-arguments.ts';
import { hearingClient } from './hearing-client.ts';
import type { RunServices } from './services.ts';
import { timeLeft } from './time-left.ts';

/** Tool calls a run may still make (`limits.max_tool_calls`); shared by the scripts a script runs. */
export interface CallBudget {
  allowed: number;
  used: number;
}

/** How one tool is called. */
export interface ToolCall {
  tool: Tool;
  arguments: JsonObject;
  caller: Caller;
  /** From a script, or as a direct `alias__tool`. */
  via: 'code' | 'proxy';
  signal: AbortSignal;
  budget?: CallBudget;
  onProgress?: NonNullable<RequestOptions['onProgress']>;
  /** `_meta` fields to pass on. */
  meta?: JsonObject;
  /** What the upstream learns of the client. */
  client?: InboundClient;
  inputResponses?: JsonObject;
  requestState?: string;
  /** When the platform ends the request, milliseconds since the epoch; a script has its own clock for that. */
  deadline?: number | undefined;
}

/**
 * The one door to every upstream tool (DESIGN, "One door"): right, budget, argument check, upstream, log. Throws a
 * `CodeModeError`; a result with `isError` is returned as it came. A direct call's arguments are left to the upstream's
 * own check, whose answer the client gets unchanged; a script's are checked here, where the field can be named.
 */
export async function callTool(services: RunServices, call: ToolCall): Promise<ToolResult> {
  const { tool, caller, via } = call;
  const { definition, server } = tool;
  const shown = via === 'code' ? `${tool.namespace}.${tool.snakeName}` : tool.directName;

  if (!opens(services.exposure(server, definition.name, caller), via)) throw forbidden(shown, via);

  if (call.budget) {
    if (call.budget.used >= call.budget.allowed) throw budgetSpent(call.budget.allowed);
    call.budget.used++;
  }
  const exceeded = await services.usage.consume(caller.userId, 'tool_call', services.now());
  if (exceeded) throw quotaExceeded(exceeded);

  if (via === 'code') {
    const problem = checkArguments(definition.inputSchema, call.arguments);
    if (problem !== undefined) throw new CodeModeError('invalid_arguments', `${shown}: ${problem}`);
  }

  const upstream = services.upstream(server);
  if (!upstream) throw new CodeModeError('upstream_unavailable', `${shown}: the server "${server}" is not connected`);

  const started = services.now();
  const log = (level: 'debug' | 'info' | 'warn', outcome: string): void =>
    services.log(level, via === 'code' ? 'host call' : 'proxy call', {
      tool: shown,
      server,
      outcome,
      durationMs: services.now() - started,
    });
  const { inputResponses, requestState } = call;
  const client = await hearingClient(services, server, caller, call.client);
  try {
    const result = await upstream.callTool(
      {
        name: definition.name,
        arguments: call.arguments,
        definition,
        ...(inputResponses && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      },
      {
        caller,
        signal: call.signal,
        timeoutMs: timeLeft(services, call.deadline),
        ...(client && { client }),
        ...(call.onProgress && { onProgress: call.onProgress }),
        ...(call.meta && { meta: call.meta }),
      },
    );
    if (result.isError) log('warn', 'tool_failed');
    else log(via === 'code' ? 'debug' : 'info', 'ok');
    return result;
  } catch (error) {
    const failure = asFailure(error, shown, call.signal);
    log('warn', failure.code);
    throw failure;
  }
}

/** Whether an exposure opens a tool to this way of calling it. */
export function opens(exposure: ToolExposure, via: 'code' | 'proxy'): boolean {
  return exposure === 'both' || exposure === via;
}

/** The refusal of a tool that exists but is closed to this caller. */
export function forbidden(shown: string, via: 'code' | 'proxy'): CodeModeError {
  const way = via === 'code' ? 'in code' : 'as a direct tool';
  return new CodeModeError('forbidden', `${shown} exists, but it is not open to you ${way}: ask your administrator`);
}

/** The refusal when a per-user limit is used up. */
export function quotaExceeded({ limit, allowed, resetsAt }: QuotaExceeded): CodeModeError {
  const when = new Date(resetsAt).toISOString();
  return new CodeModeError('quota_exceeded', `your limit ${limit} (${allowed}) is used up; it opens again at ${when}`);
}

function budgetSpent(allowed: number): CodeModeError {
  const advice = 'fetch more with each call, filter at the source, or split the work over several runs';
  return new CodeModeError('tool_calls_exceeded', `this run has made all its ${allowed} tool calls: ${advice}`);
}

function asFailure(error: unknown, shown: string, signal: AbortSignal): CodeModeError {
  if (error instanceof CodeModeError) return error;
  if (signal.aborted) return new CodeModeError('cancelled', `${shown}: the call was cancelled`, { cause: error });
  const text = error instanceof Error ? error.message : String(error);
  return new CodeModeError('tool_failed', `${shown}: ${text}`, { cause: error });
}
