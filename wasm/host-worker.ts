import { MessageChannel, Worker } from 'node:worker_threads';
import type { HostFunction, Outcome, Sandbox } from '../lib/sandbox/contract.ts';
import { compileCacheFolder, locateAsset } from './assets.ts';
import { type Ending, openRun, type Run } from './host-run.ts';
import { stayAwake } from './stay-awake.ts';
import {
  type AnswerMessage,
  createShared,
  type KitMessage,
  PRINT_OFFSET,
  type RunMessage,
  WORD,
  type WorkerData,
  type WorkerMessage,
} from './wire.ts';

/** Room for printed text a worker starts with, bytes (`limits.max_log_bytes` by default). */
const LOG_BYTES = 64 * 1024;
/** Heap of the worker's own JavaScript, MiB: strings under way, the parser. The guest's memory is not in it. */
const WORKER_HEAP_MIB = 192;
/** Stack of the worker's thread, MiB: QuickJS's and Lua's own limits must be reached before its end. */
const WORKER_STACK_MIB = 16;

/** How much slower than the last a reset may at most count. */
const RESET_GROWTH = 2;

/** A worker of the main thread's side: runs one program at a time. */
export interface HostWorker {
  /** Resolves when the worker can take a program; false when it never will again. */
  readonly ready: Promise<boolean>;
  /** About how long it takes to be fresh again after a run, milliseconds; infinite before its first. */
  readonly resetMs: number;
  run: Sandbox['run'];
  terminate(): Promise<void>;
}

/** Starts a worker that becomes a guest. It never keeps the process alive by itself; `createSandbox` does while runs are pending. */
export function startHostWorker(guest: string, kit: Promise<unknown>): HostWorker {
  const { port1: port, port2 } = new MessageChannel();
  let shared = createShared(LOG_BYTES);
  let words = new Int32Array(shared);
  const data: WorkerData = {
    guest,
    port: port2 as unknown as MessagePort,
    shared,
    compileCache: compileCacheFolder(),
  };
  const worker = new Worker(locateAsset('worker'), {
    workerData: data,
    transferList: [port2],
    env: {},
    argv: [],
    execArgv: ['--no-warnings'],
    stdin: false,
    stdout: true,
    stderr: true,
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB, stackSizeMb: WORKER_STACK_MIB },
  });
  worker.unref();
  port.unref();

  let run: Run | undefined;
  let lastFunctions: readonly HostFunction[] | undefined;
  let alive = true;
  let resetMs = Number.POSITIVE_INFINITY;
  let becameReady: (alive: boolean) => void = () => {};
  const nextReady = () =>
    new Promise<boolean>((resolve) => {
      becameReady = resolve;
    });
  let ready = nextReady();

  const send = (message: KitMessage | RunMessage | AnswerMessage, to = words) => {
    port.postMessage(message);
    Atomics.add(to, WORD.sent, 1);
    Atomics.notify(to, WORD.sent);
    if (Atomics.load(to, WORD.awake) === 1) stayAwake();
  };
  const receive = (message: WorkerMessage) => {
    switch (message.kind) {
      case 'ready':
        // One slow reset says little: the thread may just have been off its core.
        resetMs = Math.min(message.resetMs, resetMs * RESET_GROWTH);
        becameReady(alive);
        break;
      case 'spent':
        if (message.fault) process.emitWarning(message.fault, 'SandboxFault');
        lose();
        break;
      case 'call':
        run?.call(message);
        break;
      case 'ended':
        run?.ended(message);
        break;
    }
  };
  const lose = (failure?: Ending) => {
    if (alive) {
      alive = false;
      becameReady(false);
      void worker.terminate();
      port.close();
    }
    run?.lost(failure ?? { ok: false, code: 'internal', message: 'the sandbox lost its worker; run the script again' });
  };
  port.on('message', receive);
  port.unref();
  worker.on('error', (error: NodeJS.ErrnoException) => {
    lose(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { ok: false, code: 'memory', message: 'the script moved more data than the sandbox has memory for' }
        : undefined,
    );
  });
  worker.on('exit', () => lose());
  kit.then(
    (prepared) => alive && send({ kind: 'kit', kit: prepared }),
    () => lose(),
  );

  return {
    get ready() {
      return ready;
    },
    get resetMs() {
      return resetMs;
    },
    run(program, functions, limits, call, signal) {
      ready = nextReady();
      const message: RunMessage = {
        kind: 'run',
        program,
        limits: {
          memoryBytes: limits.memoryBytes,
          allowThreads: limits.allowThreads,
          maxLogBytes: limits.maxLogBytes,
          maxResultBytes: limits.maxResultBytes,
        },
      };
      if (functions !== lastFunctions) {
        message.functions = functions;
        lastFunctions = functions;
      }
      const sendTo = words;
      if (limits.maxLogBytes > shared.byteLength - PRINT_OFFSET) {
        shared = createShared(limits.maxLogBytes);
        message.shared = shared;
        words = new Int32Array(shared);
      }
      return new Promise<Outcome>((resolve) => {
        run = openRun({
          limits,
          call,
          signal,
          shared,
          send,
          cpuUsage: () => worker.cpuUsage?.(),
          kill: () => {
            // What the worker said before its end still counts: a value that was on its way wins over nothing else.
            alive = false;
            becameReady(false);
            void worker.terminate();
            port.close();
          },
          done: (outcome) => {
            run = undefined;
            resolve(outcome);
          },
        });
        send(message, sendTo);
      });
    },
    async terminate() {
      alive = false;
      becameReady(false);
      await worker.terminate();
    },
  };
}
