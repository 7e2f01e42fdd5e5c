import type { Caller } from '../access/caller.ts';
import { errorNames } from '../error-names.ts';
import { CodeModeError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { CallReply, CpuMeter, HostFunction, Language, Outcome, OutcomeCode } from '../sandbox/contract.ts';
import { checkSizes } from '../store/code-limits.ts';
import type { CodeChange, CodeRecord } from '../store/contract.ts';
import type { ToolResult } from '../tool.ts';
import { quotaExceeded } from './call-tool.ts';
import { defaultLanguage, enabled } from './enabled-language.ts';
import type { ExecuteRequest } from './execute-request.ts';
import { checkCodeName, readExecuteRequest } from './execute-request.ts';
import type { Ended } from './execute-result.ts';
import { endedBy, executeResult } from './execute-result.ts';
import { given } from './given.ts';
import { notStored } from './not-stored.ts';
import type { Execution, OwnFunction, Step } from './run-script.ts';
import { runScript } from './run-script.ts';
import type { RunServices } from './services.ts';
import { settledCatalogue } from './settled-catalogue.ts';
import { scopeOf, storeOf } from './stored-code.ts';
import { goneForAll } from './unknown-function.ts';

/** Stored scripts may call stored scripts this deep. */
const MAX_CODE_DEPTH = 8;

/** What is shared by a script and those it runs, and used up: whoever asked could not go on either. */
const SPENT: ReadonlySet<OutcomeCode> = new Set(['timeout', 'tool_calls_exceeded', 'quota_exceeded']);

const CODE_RUN: HostFunction = { namespace: 'code', snake: 'run', camel: 'Run' };

/** How `execute_code` is called. */
export interface ExecuteOptions {
  caller: Caller;
  signal: AbortSignal;
  /** When the platform ends the request, milliseconds since the epoch, margin already taken off. */
  deadline?: number;
  onStep?: (step: Step) => void;
  meta?: JsonObject;
  client?: NonNullable<Execution['client']>;
}

/** A script with where it came from. */
interface Source {
  language: Language;
  code: string;
  entry?: string;
  params?: Json;
  record?: CodeRecord;
}

/** Everything one execution needs at hand. */
interface Frame {
  services: RunServices;
  execution: Execution;
  /** How many scripts wait for this one. */
  depth: number;
  /** Names of the stored scripts under way, outermost first. */
  stack: readonly string[];
  /** Log lines of scripts run by scripts, and the bytes there is still room for. */
  inner: { logs: string[]; leftBytes: number };
}

/** `execute_code`: runs, stores and runs stored code by the reference's matrix. Never throws. */
export async function executeCode(
  services: RunServices,
  args: JsonObject,
  options: ExecuteOptions,
): Promise<ToolResult> {
  const started = services.now();
  const { limits } = services.config;
  const budget = { allowed: limits.max_tool_calls, used: 0 };
  const cpu: CpuMeter = { endedMs: 0, running: new Set() };
  let ended: Ended;
  let language: Language | undefined;
  try {
    const request = readExecuteRequest(args);
    if (isSkill(request)) {
      storeOf(services);
      // Words fill a store as code does.
      await takeExecution(services, options.caller, started);
      ended = await saveSkill(services, request, options.caller);
    } else {
      const source = await sourceOf(services, request, options.caller);
      language = source.language;
      await takeExecution(services, options.caller, started);
      const named = (namespace: string) => source.code.includes(namespace);
      const seen = await settledCatalogue(services, options.caller, named, options.signal);
      const execution: Execution = {
        ...options,
        ...seen,
        budget,
        cpu,
        unknown: { calls: 0 },
        deadline: Math.min(started + limits.max_wall_time_ms, options.deadline ?? Number.POSITIVE_INFINITY),
      };
      const inner = { logs: [], leftBytes: limits.max_log_bytes };
      const frame: Frame = { services, execution, depth: 0, stack: [], inner };
      ended = await runAndKeep(frame, request, source);
    }
  } catch (error) {
    if (!(error instanceof CodeModeError)) {
      services.log('error', 'execute code failed', { error: error instanceof Error ? error.name : 'unknown' });
    }
    ended = endedBy(error);
  }
  const spent = { durationMs: services.now() - started, toolCalls: budget.used };
  services.log(ended.ok ? 'info' : 'warn', 'execute code', {
    language,
    outcome: ended.ok ? 'ok' : ended.code,
    ...spent,
    cpuMs: Math.round(cpu.endedMs),
  });
  return executeResult(ended, spent);
}

/** Takes one execution from the caller's limits; throws `quota_exceeded`. */
async function takeExecution({ usage }: RunServices, { userId }: Caller, now: number): Promise<void> {
  const exceeded = await usage.consume(userId, 'execution', now);
  if (exceeded) throw quotaExceeded(exceeded);
}

/** `name` with only words about it: kept without a run. */
function isSkill({ code, name, description, instructions }: ExecuteRequest): boolean {
  return code === undefined && name !== undefined && (description ?? instructions) !== undefined;
}

async function saveSkill(services: RunServices, request: ExecuteRequest, caller: Caller): Promise<Ended> {
  const store = storeOf(services);
  const language = request.language ?? defaultLanguage(services);
  const change = changeOf({ ...request, language }, caller);
  const record = await store.save(scopeOf(services, caller), request.name!, change, services.now());
  services.log('info', 'code saved', { name: record.name, kind: record.code === '' ? 'skill' : 'code' });
  return { ok: true, value: JSON.stringify({ saved: record.name, hasCode: record.code !== '' }), logs: [], cpuMs: 0 };
}

/** What is to run: the code given, or the stored one of that name. */
async function sourceOf(services: RunServices, request: ExecuteRequest, caller: Caller): Promise<Source> {
  const { name, code, params } = request;
  if (code === undefined && name === undefined) {
    throw new CodeModeError('invalid_arguments', 'give `code` to run, or `name` to run stored code');
  }
  // What could not be kept afterwards is not run first.
  if (name !== undefined) checkSizes(changeOf(request, caller));
  const record = name === undefined ? undefined : await readStored(services, request, caller);
  if (code !== undefined) {
    const language = request.language ?? record?.language ?? defaultLanguage(services);
    const { entry } = request;
    return { language: enabled(services, language), code, ...given({ entry, params }) };
  }
  if (!record) throw await notStored(services, caller, name!);
  return storedSource(services, record, name!, request);
}

/** The record of that name; one whose body is lost or damaged does not stand in the way of new code. */
async function readStored(services: RunServices, { name, code }: ExecuteRequest, caller: Caller) {
  try {
    return await storeOf(services).get(scopeOf(services, caller), name!);
  } catch (error) {
    if (code !== undefined && error instanceof CodeModeError && error.code === 'internal') return undefined;
    throw error;
  }
}

function storedSource(
  services: RunServices,
  record: CodeRecord,
  name: string,
  request: Pick<ExecuteRequest, 'entry' | 'params'>,
): Source {
  if (record.code === '') {
    const advice = 'it holds instructions for you, not code to run';
    throw new CodeModeError('not_runnable', `"${name}" is a skill: read it with get_code("${name}"); ${advice}`);
  }
  const entry = request.entry ?? (record.entry === '' ? undefined : record.entry);
  const { language, code } = record;
  return { language: enabled(services, language), code, record, ...given({ entry, params: request.params }) };
}

/** Runs a source and, where a name came with the code, keeps it after a success. */
async function runAndKeep(frame: Frame, request: ExecuteRequest, source: Source): Promise<Ended> {
  const { services, execution } = frame;
  const { name } = request;
  const outcome = await runSource(name === undefined ? frame : { ...frame, stack: [name] }, source);
  const logs = [...outcome.logs, ...frame.inner.logs];
  if (!outcome.ok || name === undefined || request.code === undefined) return { ...outcome, logs };
  const change = changeOf({ ...request, language: source.language }, execution.caller);
  try {
    const scope = scopeOf(services, execution.caller);
    await storeOf(services).save(scope, name, change, services.now());
    await note(services, name, storeOf(services).countRun(scope, name));
    services.log('info', 'code saved', { name, kind: 'code' });
    return { ...outcome, logs };
  } catch (error) {
    services.log('error', 'code not saved', { name, ...errorNames(error) });
    const why = error instanceof CodeModeError ? error.message : 'the store failed';
    const message = `the script ran and its value is here, but it was not stored as "${name}": ${why}`;
    const code = error instanceof CodeModeError ? error.code : 'internal';
    return { ok: false, code, message, logs, ...(outcome.value !== undefined && { value: outcome.value }) };
  }
}

/** Runs one script; a stored one is counted, or marked where a function it needs is gone (never for a missing right). */
async function runSource(frame: Frame, source: Source): Promise<Outcome> {
  const { services, execution } = frame;
  const { language, code, entry, params, record } = source;
  const program = {
    language,
    code,
    owner: execution.caller.userId ?? '',
    nested: frame.depth > 0,
    ...given({ entry }),
    ...(params !== undefined && { params: JSON.stringify(params) }),
  };
  const outcome = await runScript(services, execution, program, services.store && codeRun(frame));
  if (record && services.store) {
    const scope = scopeOf(services, execution.caller);
    if (outcome.ok) await note(services, record.name, services.store.countRun(scope, record.name));
    else if (outcome.code === 'function_not_found' && goneForAll(services.config, outcome.message)) {
      const marking = services.store.markInvalid(scope, record.name, outcome.message, record.revision);
      await note(services, record.name, marking);
    }
  }
  return outcome;
}

/** Waits for a count or a mark; one that fails must not take away what the script has answered. */
async function note(services: RunServices, name: string, work: Promise<void>): Promise<void> {
  await work.catch(() => services.log('error', 'stored code not counted', { name }));
}

/**
 * `code.run(name, params)`: a stored script called from a script, on the same budget. A script's calls run one after
 * another even where it makes them at once: each holds a thread and its memory, and takes from the one CPU clock.
 */
function codeRun(frame: Frame): OwnFunction {
  const { services, execution, stack, depth, inner } = frame;
  let turn: Promise<unknown> = Promise.resolve();
  const call = (args: readonly Json[], signal: AbortSignal): Promise<CallReply> => {
    const reply = turn.then(() => runInner(args, signal));
    turn = reply.catch(() => undefined);
    return reply;
  };
  const runInner = async (args: readonly Json[], signal: AbortSignal): Promise<CallReply> => {
    if (signal.aborted) throw new CodeModeError('cancelled', 'code.run: the script that asked has ended');
    const { name, params } = codeRunArguments(args);
    checkCodeName(name);
    const tool = `code.run("${name}")`;
    if (stack.includes(name)) {
      throw new CodeModeError('invalid_arguments', `${tool}: "${name}" is already running here (${stack.join(' → ')})`);
    }
    if (depth >= MAX_CODE_DEPTH) {
      throw new CodeModeError('invalid_arguments', `${tool}: scripts may call scripts ${MAX_CODE_DEPTH} deep at most`);
    }
    if (execution.budget.used >= execution.budget.allowed) {
      throw new CodeModeError('tool_calls_exceeded', `${tool}: this run has made all its tool calls`);
    }
    execution.budget.used++;
    const record = await storeOf(services).get(scopeOf(services, execution.caller), name);
    if (!record) throw await notStored(services, execution.caller, name);
    const source = storedSource(services, record, name, given({ params }));
    const under: Frame = { ...frame, depth: depth + 1, stack: [...stack, name], execution: { ...execution, signal } };
    const outcome = await runSource(under, source);
    keepLogs(inner, name, outcome.logs);
    execution.onStep?.({ name: tool, share: 1 });
    if (outcome.ok) return { ok: true, value: outcome.value ?? 'null' };
    const fatal = SPENT.has(outcome.code);
    return { ok: false, code: outcome.code, message: `${tool}: ${outcome.message}`, tool, ...(fatal && { fatal }) };
  };
  return { host: CODE_RUN, call };
}

/** Keeps a stored script's log lines while there is room (`limits.max_log_bytes` for all of them), then says so once. */
function keepLogs(inner: Frame['inner'], name: string, lines: readonly string[]): void {
  for (const text of lines) {
    if (inner.leftBytes <= 0) return;
    const line = `[${name}] ${text}`;
    inner.leftBytes -= Buffer.byteLength(line);
    inner.logs.push(inner.leftBytes > 0 ? line : '[further log lines of stored scripts are left out]');
  }
}

/** `run("name", params)`, or `run({name, params})` as tools are called. */
function codeRunArguments([first, second]: readonly Json[]): { name: string; params?: Json } {
  const named = isJsonObject(first) ? first : { name: first ?? null, ...given({ params: second }) };
  if (typeof named.name === 'string') return { name: named.name, ...given({ params: named.params }) };
  throw new CodeModeError('invalid_arguments', 'code.run takes the name of stored code, then its params');
}

function changeOf(request: ExecuteRequest, caller: Caller): CodeChange {
  const { description, instructions, language, code, entry } = request;
  return given({ description, instructions, language, code, entry, user: caller.userId });
}
