import type { HostFunction } from '../../../lib/sandbox/contract.ts';
import type { Bridge, Settled } from '../../../wasm/guest.ts';

/** The host functions scripts of these tests see. */
export const hostFunctions: readonly HostFunction[] = [
  { namespace: 'os', snake: 'read_file', camel: 'ReadFile' },
  { namespace: 'os', snake: 'list', camel: 'List' },
  { namespace: 'math', snake: 'add', camel: 'Add' },
  { namespace: 'slow', snake: 'wait', camel: 'Wait' },
];

/** A bridge that answers at once, or after `args.ms` milliseconds; the first started is not always the first answered. */
export interface FakeBridge extends Bridge {
  /** What was printed. */
  printed: string;
  /** The calls made, in order, as `os.read_file {"path":"/x"}`. */
  calls: string[];
}

/** Makes one; it never leaves this thread. */
export function fakeBridge(): FakeBridge {
  const open: { at: number; settled: Settled }[] = [];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let ids = 0;
  return {
    printed: '',
    calls: [],
    start(index, args) {
      const id = ++ids;
      const { ms = 0 } = JSON.parse(args) as { ms?: number };
      open.push({ at: performance.now() + ms, settled: { id, ...answer(index, args) } });
      const called = hostFunctions[index];
      this.calls.push(called ? `${called.namespace}.${called.snake} ${args}` : `? ${args}`);
      return id;
    },
    wait() {
      const answer = this.waitFor(Number.POSITIVE_INFINITY);
      if (!answer) throw new Error('waited for nothing');
      return answer;
    },
    waitFor(timeoutMs) {
      open.sort((a, b) => a.at - b.at);
      const left = (open[0]?.at ?? Number.POSITIVE_INFINITY) - performance.now();
      if (left > 0) Atomics.wait(pause, 0, 0, Math.min(left, timeoutMs));
      return left > timeoutMs ? undefined : open.shift()?.settled;
    },
    log(text) {
      this.printed += `${text}\n`;
    },
  };
}

function answer(index: number, args: string): { ok: boolean; text: string } {
  const called = hostFunctions[index];
  const failed = (code: string, message: string, tool: string) => ({
    ok: false,
    text: JSON.stringify({ code, message, tool }),
  });
  if (!called) {
    const { namespace, name } = JSON.parse(args) as { namespace: string; name: string };
    return failed('function_not_found', `there is no ${namespace}.${name}`, name);
  }
  if (called.snake === 'add') {
    const { a, b } = JSON.parse(args) as { a: number; b: number };
    return { ok: true, text: JSON.stringify(a + b) };
  }
  if (args.includes('/missing')) return failed('tool_failed', 'no such file: /missing', called.snake);
  if (called.snake === 'list')
    return {
      ok: true,
      text: JSON.stringify([
        { name: 'a.txt', size: 3 },
        { name: 'b.txt', size: 5 },
      ]),
    };
  return { ok: true, text: JSON.stringify({ text: `contents of ${args}` }) };
}
