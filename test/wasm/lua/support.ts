import type { HostFunction } from '../../../lib/sandbox/contract.ts';
import type { Bridge, Guest, GuestResult } from '../../../wasm/guest.ts';
import { createLuaGuest } from '../../../wasm/lua/guest.ts';
import { prepareLuaKit } from '../../../wasm/lua/module.ts';

const MEMORY_BYTES = 64 * 1024 * 1024;
const FUNCTIONS: readonly HostFunction[] = [
  { namespace: 'tools', snake: 'echo', camel: 'Echo' },
  { namespace: 'tools', snake: 'fail', camel: 'Fail' },
];

/** A guest in this thread whose one tool echoes and whose other fails: for tests of many quick runs. */
export async function openGuest(
  log: (text: string) => void = () => {},
): Promise<(code: string, params?: string) => GuestResult> {
  const guest: Guest = await createLuaGuest(await prepareLuaKit(MEMORY_BYTES));
  return (code, params) => {
    const program = { language: 'lua', code, ...(params === undefined ? {} : { params }) } as const;
    const result = guest.run(program, FUNCTIONS, { memoryBytes: MEMORY_BYTES, allowThreads: false }, echoing(log));
    if (!guest.reset()) throw new Error('the guest did not come back');
    return result;
  };
}

function echoing(log: Bridge['log']): Bridge {
  const answers: ReturnType<Bridge['wait']>[] = [];
  let id = 0;
  return {
    start: (index, args) => {
      id++;
      if (index === 0) answers.push({ id, ok: true, text: args });
      else answers.push({ id, ok: false, text: '{"code":"tool_failed","message":"broke","tool":"tools.fail"}' });
      return id;
    },
    wait: () => answers.shift()!,
    waitFor: () => answers.shift(),
    log,
  };
}
