import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installRuntimeClient } from './runtime-client.ts';

// `npm run e2e:lambda`: the bundled functions under Lambda's own runtime client. Arguments go to vitest.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = await installRuntimeClient();
if ('skipped' in client) {
  process.stdout.write(`skipped: ${client.skipped}\n`);
  process.exit(0);
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const config = join('test', 'e2e', 'lambda', 'vitest.config.ts');
const child = spawn(process.execPath, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RUNTIME_CLIENT: client.program },
});
const [code] = (await once(child, 'exit')) as [number | null];
process.exit(code ?? 1);
