import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { confinement } from '../../../infra/gateway-function.ts';

const BOOTSTRAP = fileURLToPath(new URL('bootstrap.js', import.meta.url));

/** What an environment sends of one invocation, in order. */
type Sent = {
  head?: Head;
  chunk?: string;
  ended?: boolean;
  result?: unknown;
  error?: string;
  maxRssMb?: number;
  ready?: boolean;
  importMs?: number;
};

export interface Head {
  statusCode: number;
  headers: Record<string, string>;
}

export interface InvokeOptions {
  /** What Lambda would still give, milliseconds. */
  remainingMs?: number;
  onHead?: (head: Head) => void;
  onChunk?: (chunk: Buffer) => void;
}

/** One execution environment: a fresh process with a bundled handler, serving one event at a time. */
export interface Environment {
  invoke(event: unknown, options?: InvokeOptions): Promise<unknown>;
  /** Everything it has written to its log. */
  logged(): string;
  kill(): Promise<void>;
  readonly alive: boolean;
  /** How long the import of the bundle took, milliseconds. */
  readonly importMs: number;
  /** The most memory the process has held, MB, as of its last answer. */
  readonly maxRssMb: number;
}

const REMAINING_MS = 900_000;

/** Starts a handler's folder as Lambda would: with the stack's own restrictions unless told otherwise. */
export async function startEnvironment(
  folder: string,
  env: Record<string, string>,
  { confined = true } = {},
): Promise<Environment> {
  const options = confined ? confinement([folder, fileURLToPath(new URL('.', import.meta.url))]) : [];
  const child: ChildProcess = spawn(process.execPath, [...options, BOOTSTRAP, `${folder}/index.mjs`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  let maxRssMb = 0;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += chunk));
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let listener: (sent: Sent) => void = () => {};
  child.on('message', (sent: Sent) => listener(sent));
  const importMs = await new Promise<number>((ready, failed) => {
    listener = (sent) => sent.ready && ready(sent.importMs ?? 0);
    void ended.then(() => failed(new Error(`the environment ended at start: ${log}`)));
  });

  let turn: Promise<unknown> = Promise.resolve();
  let requests = 0;
  const invoke = (event: unknown, { remainingMs = REMAINING_MS, onHead, onChunk }: InvokeOptions = {}) =>
    new Promise<unknown>((done, failed) => {
      listener = ({ head, chunk, ended: over, result, error, maxRssMb: most = maxRssMb }) => {
        maxRssMb = most;
        if (head) onHead?.(head);
        if (chunk !== undefined) onChunk?.(Buffer.from(chunk, 'base64'));
        if (over) error === undefined ? done(result) : failed(new Error(error));
      };
      void ended.then(() => failed(new Error(`the environment died: ${log}`)));
      child.send({ event, remainingMs, requestId: `request-${process.pid}-${++requests}` });
    });
  return environmentOf(child, {
    invoke(event, given) {
      const mine = turn.catch(() => undefined).then(() => invoke(event, given));
      turn = mine;
      return mine;
    },
    importMs,
    ended,
    logged: () => log,
    maxRssMb: () => maxRssMb,
  });
}

/** The environment that a process is: what every way of talking to one has in common. */
export function environmentOf(
  child: ChildProcess,
  {
    invoke,
    importMs,
    ended,
    logged,
    maxRssMb,
  }: Pick<Environment, 'invoke' | 'importMs' | 'logged'> & { ended: Promise<void>; maxRssMb: () => number },
): Environment {
  return {
    invoke,
    importMs,
    logged,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    get maxRssMb() {
      return maxRssMb();
    },
    get alive() {
      return child.exitCode === null && child.signalCode === null;
    },
  };
}
