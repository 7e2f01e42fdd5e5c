// `@executor-js/runtime-quickjs`, measured in its own process.
import { makeQuickJsExecutor } from '@executor-js/runtime-quickjs';
import * as Effect from 'effect/Effect';
import { called, measure } from './measure.js';

const executor = makeQuickJsExecutor({ timeoutMs: 60_000 });
const invoke = async ({ path }) => {
  if (path.endsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 50));
  else called();
  return 1;
};
const invoker = { invoke: (call) => Effect.promise(() => invoke(call)) };
async function run(code, expected) {
  const { result, error } = await Effect.runPromise(executor.execute(code, invoker));
  if (error || result !== expected) throw new Error(`${code} gave ${error ?? result}`);
}
const result = await measure({
  add: () => run('return 1 + 1', 2),
  calls: () => run('let n = 0; for (let i = 0; i < 1000; i++) n += await tools.bench.one({ i }); return n', 1000),
  parallel: () => run('return (await Promise.all([0,1,2,3,4,5,6,7,8,9].map(() => tools.bench.slow({})))).length', 10),
  loop: () => run('let s = 0; for (let i = 0; i < 1000000; i++) s = (s + i) % 1000; return s', 0),
});
console.log(`RESULT ${JSON.stringify(result)}`);
