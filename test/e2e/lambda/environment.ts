import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { confinement } from '../../../infra/gateway-function.ts';
import { type Environment, environmentOf, type InvokeOptions } from '../../support/lambda/environment.ts';
import { startRuntimeApi } from './runtime-api.ts';

const REMAINING_MS = 900_000;

/** What Lambda tells every function of itself. */
const LAMBDA_ENV = {
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'gateway',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/gateway',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
};

/**
 * Starts a bundled function under Lambda's own runtime client, with the stack's restrictions unless told otherwise. As
 * on Lambda, the process stands still between two events and is killed at the deadline of one.
 */
export async function startRuntimeClient(
  folder: string,
  env: Record<string, string>,
  { confined = true } = {},
): Promise<Environment> {
  const program = process.env['RUNTIME_CLIENT'];
  if (program === undefined) throw new Error('these tests are started by `npm run e2e:lambda`');
  const started = performance.now();
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(name);
  };
  const api = await startRuntimeApi({ onIdle: () => signal('SIGSTOP'), onBusy: () => signal('SIGCONT') });
  const options = confined ? confinement([folder, dirname(program)]) : [];
  const child = spawn(process.execPath, [program], {
    env: {
      ...LAMBDA_ENV,
      ...env,
      NODE_OPTIONS: options.join(' '),
      AWS_LAMBDA_RUNTIME_API: api.address,
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: 'index.handler',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = new Promise<void>((done) => {
    child.once('exit', (code, how) => {
      api.fail(new Error(`the environment has died (${code ?? how}): ${log.slice(-2000)}`));
      api.close();
      done();
    });
  });
  await api.started;
  const importMs = performance.now() - started;
  let maxRssMb = 0;
  let requests = 0;

  async function invoke(event: unknown, { remainingMs = REMAINING_MS, ...where }: InvokeOptions = {}) {
    requests += 1;
    const requestId = `request-${child.pid}-${requests}`;
    const outcome = api.invoke({ event, requestId, deadline: Date.now() + remainingMs, ...where });
    const timer = setTimeout(() => child.kill('SIGKILL'), remainingMs);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      maxRssMb = mostMemory(child.pid) ?? maxRssMb;
    }
  }
  return environmentOf(child, {
    invoke,
    importMs,
    ended,
    logged: () => log,
    maxRssMb: () => maxRssMb,
  });
}

/** The most memory the process has held, MB; undefined where it has gone. */
function mostMemory(pid: number | undefined): number | undefined {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}
