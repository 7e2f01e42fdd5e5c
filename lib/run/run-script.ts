import type { Caller } from '../access/caller.ts';
import { CodeModeError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Catalogue, CatalogueView } from '../registry/contract.ts';
import type {
  Call,
  CallReply,
  CpuMeter,
  HostCall,
  HostFunction,
  Limits,
  Outcome,
  Program,
} from '../sandbox/contract.ts';
import { UNKNOWN_FUNCTION } from '../sandbox/contract.ts';
import type { Tool } from '../tool.ts';
import type { InboundClient } from '../upstream/contract.ts';
import type { CallBudget } from './call-tool.ts';
import { callTool } from './call-tool.ts';
import type { RunServices } from './services.ts';
import { resultText, toolValue } from './tool-value.ts';
import { answerUnknown } from './unknown-function.ts';
import { createViewCache } from './view-cache.ts';

/** One step of a run, told to a client that asked for progress. */
export interface Step {
  /** The function's name as the script calls it. */
  name: string;
  /** Share of the call done, where the upstream tells: 0 up to 1. */
  share?: number;
  message?: string;
}

/** What all scripts of one execution share: the caller, the catalogue they see, and the budget. */
export interface Execution {
  caller: Caller;
  catalogue: Catalogue;
  view: CatalogueView;
  signal: AbortSignal;
  budget: CallBudget;
  /** Guest CPU used: one clock for a script and the scripts it runs. */
  cpu: CpuMeter;
  /** Calls of functions that do not exist so far: each costs a search through all names. */
  unknown: { calls: number };
  /** When the execution must end, milliseconds since the epoch. */
  deadline: number;
  onStep?: (step: Step) => void;
  /** `_meta` fields of the client's request that pass on to upstreams. */
  meta?: JsonObject;
  /** The client session upstreams may ask while the script waits. */
  client?: InboundClient;
}

/** A function of ours that scripts can call beside the tools, such as `code.run`; takes positional arguments. */
export interface OwnFunction {
  host: HostFunction;
  call(args: readonly Json[], signal: AbortSignal): Promise<CallReply>;
}

/** The functions of a view and ours after them, the same array for the same functions: sandboxes recognise it. */
const functionLists = createViewCache(({ functions }) => {
  const tools: HostFunction[] = functions.map(({ namespace, snakeName, camelName }) => ({
    namespace,
    snake: snakeName,
    camel: camelName,
  }));
  const withOwn = new Map<HostFunction | undefined, HostFunction[]>([[undefined, tools]]);
  return (own: HostFunction | undefined): HostFunction[] => {
    const known = withOwn.get(own) ?? [...tools, own!];
    withOwn.set(own, known);
    return known;
  };
});

/** Longest arguments of one call, characters of JSON. */
const MAX_ARGUMENT_CHARS = 4 * 1024 * 1024;

/** Longest part of an unknown name that is looked up and shown, characters. */
const MAX_NAME_CHARS = 200;

/** Calls of functions that do not exist one execution may make and catch; the next ends it. */
const MAX_UNKNOWN_CALLS = 32;

/** Runs one script with the caller's functions. Never throws for the script's fault. */
export async function runScript(
  services: RunServices,
  execution: Execution,
  program: Program,
  own: OwnFunction | undefined,
): Promise<Outcome> {
  const { view, catalogue } = execution;
  const tools = view.functions;
  const functions = functionLists(view)(own?.host);
  const call: HostCall = async (request, signal) => {
    try {
      if (request.function === UNKNOWN_FUNCTION) {
        const { namespace, name } = readArguments(request, 'this call');
        const unknown = { namespace: nameIn(namespace), name: nameIn(name) };
        const fatal = ++execution.unknown.calls > MAX_UNKNOWN_CALLS;
        return { ...answerUnknown(unknown, catalogue, view), ...(fatal && { fatal }) };
      }
      if (own && request.function === tools.length) return await own.call(positional(request), signal);
      return await callFromScript(services, execution, tools[request.function]!, request, signal);
    } catch (error) {
      return refusal(error, functions[request.function]);
    }
  };
  const sandbox = await services.sandbox();
  return sandbox.run(program, functions, limitsOf(services, execution), call, execution.signal);
}

async function callFromScript(
  services: RunServices,
  execution: Execution,
  tool: Tool,
  request: Call,
  signal: AbortSignal,
): Promise<CallReply> {
  const name = `${tool.namespace}.${tool.snakeName}`;
  const { onStep } = execution;
  const result = await callTool(services, {
    tool,
    arguments: readArguments(request, name),
    caller: execution.caller,
    via: 'code',
    signal,
    budget: execution.budget,
    ...(execution.meta && { meta: execution.meta }),
    ...(execution.client && { client: execution.client }),
    ...(onStep && {
      onProgress: ({ progress, total, message }) =>
        onStep({
          name,
          ...(total !== undefined && total > 0 && { share: Math.min(progress / total, 1) }),
          ...(message !== undefined && { message }),
        }),
    }),
  });
  onStep?.({ name, share: 1 });
  if (result.isError) return { ok: false, code: 'tool_failed', message: `${name}: ${resultText(result)}`, tool: name };
  return { ok: true, value: toolValue(result) };
}

/** A name as a script gave it, cut to a length no function has. */
function nameIn(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_CHARS) : '';
}

function positional(request: Call): Json[] {
  const value = parsed(request, 'code.run') as Json;
  return Array.isArray(value) ? value : [value];
}

/** The arguments' value; their size is bounded first, because no clock watches what the main thread reads. */
function parsed({ args }: Call, name: string): unknown {
  if (args.length <= MAX_ARGUMENT_CHARS) return JSON.parse(args);
  const size = `${args.length} characters of JSON, and ${MAX_ARGUMENT_CHARS} are allowed`;
  throw new CodeModeError('invalid_arguments', `${name}: the arguments are ${size}: send less in one call`);
}

function readArguments(request: Call, name: string): JsonObject {
  const value = parsed(request, name);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new CodeModeError('invalid_arguments', `${name} takes one object with named arguments, not ${kind}`);
}

/** A budget or quota that is used up ends the run: catching it and going on could not succeed. */
function refusal(error: unknown, target: HostFunction | undefined): CallReply {
  const tool = target ? `${target.namespace}.${target.snake}` : '';
  if (!(error instanceof CodeModeError)) {
    return { ok: false, code: 'internal', message: `${tool}: the call failed inside the gateway`, tool };
  }
  const fatal = error.code === 'tool_calls_exceeded' || error.code === 'quota_exceeded';
  return { ok: false, code: error.code, message: error.message, tool, ...(fatal && { fatal }) };
}

function limitsOf({ config, now }: RunServices, execution: Execution): Limits {
  const { limits } = config;
  return {
    cpuMs: limits.max_cpu_time_ms,
    cpuMeter: execution.cpu,
    wallMs: Math.max(1, execution.deadline - now()),
    memoryBytes: limits.max_memory_bytes,
    maxParallelCalls: limits.max_parallel_calls,
    maxLogBytes: limits.max_log_bytes,
    maxResultBytes: limits.max_result_bytes,
    allowThreads: limits.allow_threads,
  };
}
