import type { HostFunction, Program } from '../../../lib/sandbox/contract.ts';
import type { Bridge, Guest, GuestResult, Settled } from '../../../wasm/guest.ts';
import { createJavascriptGuest } from '../../../wasm/javascript/guest.ts';
import { prepareJavascript } from '../../../wasm/javascript/prepare-javascript.ts';

const FUNCTIONS: readonly HostFunction[] = [
  { namespace: 'tools', snake: 'echo', camel: 'Echo' },
  { namespace: 'tools', snake: 'fail', camel: 'Fail' },
];

/** A bridge whose every call gives its argument back at once, or fails; unknown names are answered as the host would. */
function echoBridge(logs: string[]): Bridge {
  const settled: Settled[] = [];
  let last = 0;
  const answer = (index: number, args: string): Settled => {
    const id = ++last;
    if (index === 1) {
      return { id, ok: false, text: JSON.stringify({ code: 'tool_failed', message: 'fails', tool: 'tools.fail' }) };
    }
    if (index === 0) return { id, ok: true, text: args };
    return { id, ok: false, text: JSON.stringify({ code: 'function_not_found', message: `no ${args}`, tool: '' }) };
  };
  return {
    start(index, args) {
      const result = answer(index, args);
      settled.push(result);
      return result.id;
    },
    wait: () => settled.shift()!,
    waitFor: () => settled.shift(),
    log: (text) => {
      logs.push(text);
    },
  };
}

/** JavaScript's guest without a worker around it, for tests of many small scripts. */
export async function startInProcess(memoryBytes = 16 * 1024 * 1024) {
  const guest: Guest = createJavascriptGuest(await prepareJavascript(memoryBytes));
  return (code: string, program: Partial<Program> = {}): GuestResult & { logs: string[] } => {
    const logs: string[] = [];
    const limits = { memoryBytes, allowThreads: false };
    const result = guest.run({ language: 'javascript', code, ...program }, FUNCTIONS, limits, echoBridge(logs));
    guest.reset();
    return { ...result, logs };
  };
}
