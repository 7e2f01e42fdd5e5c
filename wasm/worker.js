// Entry of a sandbox worker. Plain JavaScript, because loading the type stripper would cost every worker of a server run
// from source 70 ms: with the compile cache on before the first `.ts` file is met, only the very first one pays that.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

if (workerData.compileCache) enableCompileCache(workerData.compileCache);
await import('./serve.ts');
