import { workerData } from 'node:worker_threads';
import { openWorkerEnd } from './bridge.ts';
import { GUESTS } from './guests.ts';
import { harden } from './harden.ts';
import type { RunMessage, WorkerData, WorkerMessage } from './wire.ts';

/**
 * The life of a sandbox worker: it becomes one guest, then runs one program after another until it is terminated. It
 * blocks for good: nothing else ever runs on its event loop.
 */
const { guest: name, port, shared } = workerData as WorkerData;
const post = (message: WorkerMessage) => port.postMessage(message);
const end = openWorkerEnd(port as unknown as import('node:worker_threads').MessagePort, shared);
const createGuest = await GUESTS[name]!();
const guest = await createGuest(end.kit());
const byteLength = Buffer.byteLength;
const clock = performance.now.bind(performance);
harden();

let fault: string | undefined;
let functions: NonNullable<Parameters<typeof guest.run>[1]> = [];

let resetMs = Number.POSITIVE_INFINITY;
for (let alive = true; alive; ) {
  post({ kind: 'ready', resetMs });
  const message = end.nextRun();
  if (message.functions) functions = message.functions;
  try {
    answer(message);
    const ended = clock();
    alive = guest.reset();
    resetMs = clock() - ended;
  } catch (error) {
    // A fault of ours: told by where it happened only, since its message may hold a piece of the script.
    const frames = error instanceof Error ? String(error.stack).match(/^ +at .*$/gm) : undefined;
    fault = `${error instanceof Error ? error.name : typeof error}\n${frames?.join('\n') ?? ''}`;
    alive = false;
  }
}
post(fault === undefined ? { kind: 'spent' } : { kind: 'spent', fault });
// The main thread terminates it; running to the end would need parts of the platform that are gone.
end.nextRun();

function answer({ program, limits }: RunMessage): void {
  const result = guest.run(program, functions, limits, end.bridge(limits.maxLogBytes));
  const cpuMicros = end.cpuMicros();
  if (!result.ok) post({ kind: 'ended', ...result, cpuMicros });
  else if (result.value !== undefined && byteLength(result.value) > limits.maxResultBytes) {
    post({
      kind: 'ended',
      ok: false,
      code: 'output_too_large',
      message: tooLarge(byteLength(result.value), limits.maxResultBytes),
      cpuMicros,
    });
  } else post({ kind: 'ended', ...result, cpuMicros });
}

function tooLarge(size: number, limit: number): string {
  return `the returned value is ${size} bytes of JSON, the limit is ${limit}; return less: pick the fields you need, count, or cut`;
}
