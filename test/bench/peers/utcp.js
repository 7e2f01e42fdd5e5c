// `@utcp/code-mode` on isolated-vm, measured in its own process.
import { CodeModeUtcpClient } from '@utcp/code-mode';
import { addFunctionToUtcpDirectCall } from '@utcp/direct-call';
import { called, measure } from './measure.js';

const log = console.log;
console.log = () => {};
const tool = (name) => ({
  name,
  description: name,
  inputs: { type: 'object', properties: {} },
  outputs: { type: 'object', properties: {} },
  tool_call_template: { call_template_type: 'direct-call', callable_name: name },
});
addFunctionToUtcpDirectCall('manual', async () => ({ utcp_version: '0.2.0', tools: [tool('one'), tool('slow')] }));
addFunctionToUtcpDirectCall('one', async () => {
  called();
  return 1;
});
addFunctionToUtcpDirectCall('slow', async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return 1;
});
const client = await CodeModeUtcpClient.create();
await client.registerManual({ name: 'bench', call_template_type: 'direct-call', callable_name: 'manual' });
async function run(code, expected) {
  const { result } = await client.callToolChain(code, 60_000);
  if (result !== expected) throw new Error(`${code} gave ${result}`);
}
const result = await measure({
  add: () => run('return 1 + 1', 2),
  calls: () => run('let n = 0; for (let i = 0; i < 1000; i++) n += bench.one({ i }); return n', 1000),
  // Its calls block the script: at once is one after another.
  parallel: () => run('return [0,1,2,3,4,5,6,7,8,9].map(() => bench.slow({})).length', 10),
  loop: () => run('let s = 0; for (let i = 0; i < 1000000; i++) s = (s + i) % 1000; return s', 0),
});
log(`RESULT ${JSON.stringify(result)}`);
