import type {
  CallReply,
  HostCall,
  HostFunction,
  Limits,
  Outcome,
  Program,
  Sandbox,
} from '../../lib/sandbox/contract.ts';

/** Limits as a user has them by default. */
export const LIMITS: Limits = {
  cpuMs: 1000,
  wallMs: 20_000,
  memoryBytes: 64 * 1024 * 1024,
  maxParallelCalls: 16,
  maxLogBytes: 64 * 1024,
  maxResultBytes: 256 * 1024,
  allowThreads: false,
};

/** The host functions test programs find: every one under `tools`, and a second namespace `os`. */
export const FUNCTIONS: readonly HostFunction[] = [
  { namespace: 'tools', snake: 'echo', camel: 'Echo' },
  { namespace: 'tools', snake: 'add', camel: 'Add' },
  { namespace: 'tools', snake: 'fail', camel: 'Fail' },
  { namespace: 'tools', snake: 'slow', camel: 'Slow' },
  { namespace: 'tools', snake: 'never', camel: 'Never' },
  { namespace: 'tools', snake: 'forbidden', camel: 'Forbidden' },
  { namespace: 'tools', snake: 'list', camel: 'List' },
  { namespace: 'os', snake: 'read_file', camel: 'ReadFile' },
];

const FILES: Record<string, string> = {
  '/a.txt': 'alpha',
  '/b.txt': 'beta\nbravo',
  '/data.json': '{"size":3,"items":[1,2,3]}',
};
/** Calls one run may make, as `limits.max_tool_calls` would have it. */
const MAX_TOOL_CALLS = 1000;

/**
 * Answers calls as a host would: `echo` gives its argument back, `add` gives a+b, `fail` fails, `slow` takes `ms`, `never`
 * ends only with the run, `forbidden` is not allowed, `list` gives `{items: [1..n]}`, `os.read_file` knows three files.
 * A fresh one a run: the 1001st call ends the run.
 */
export function createHost(): { call: HostCall; calls: { name: string; args: string }[]; aborted: () => number } {
  const calls: { name: string; args: string }[] = [];
  let aborted = 0;
  const ok = (value: unknown): CallReply => ({ ok: true, value: JSON.stringify(value) });
  const call: HostCall = async ({ function: index, args }, signal) => {
    if (index < 0) {
      const { namespace, name } = JSON.parse(args) as { namespace: string; name: string };
      const near = FUNCTIONS.find((known) => known.namespace === namespace) ? `${namespace}.` : '';
      const message = `there is no function ${namespace}.${name}; there are ${near || 'tools.*, os.*'}`;
      return { ok: false, code: 'function_not_found', message, tool: '' };
    }
    const { namespace, snake } = FUNCTIONS[index]!;
    calls.push({ name: `${namespace}.${snake}`, args });
    const tool = `${namespace}.${snake}`;
    if (calls.length > MAX_TOOL_CALLS) {
      const message = `the run made more than ${MAX_TOOL_CALLS} calls`;
      return { ok: false, code: 'tool_calls_exceeded', message, tool, fatal: true };
    }
    const input = JSON.parse(args) as Record<string, unknown>;
    switch (snake) {
      case 'add':
        return ok(Number(input['a']) + Number(input['b']));
      case 'fail':
        return { ok: false, code: 'tool_failed', message: String(input['message'] ?? 'it broke'), tool };
      case 'forbidden':
        return { ok: false, code: 'forbidden', message: 'you may not use tools.forbidden', tool };
      case 'slow':
        await pause(Number(input['ms'] ?? 50), signal);
        return ok(input['value'] ?? null);
      case 'never':
        await pause(2 ** 31 - 1, signal);
        aborted++;
        return { ok: false, code: 'cancelled', message: 'cancelled', tool };
      case 'list':
        return ok({ items: Array.from({ length: Number(input['n'] ?? 3) }, (_, at) => at + 1) });
      case 'read_file': {
        const text = FILES[String(input['path'])];
        if (text === undefined)
          return { ok: false, code: 'tool_failed', message: `no such file: ${input['path']}`, tool };
        return ok(text);
      }
      default:
        return { ok: true, value: args };
    }
  };
  return { call, calls, aborted: () => aborted };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Runs a program with the test host. */
export function runProgram(sandbox: Sandbox, program: Program, limits: Partial<Limits> = {}): Promise<Outcome> {
  return sandbox.run(program, FUNCTIONS, { ...LIMITS, ...limits }, createHost().call, new AbortController().signal);
}
