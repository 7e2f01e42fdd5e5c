import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cdk = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));

/** Both endpoints, and an environment for each user; `cdk.out/<variant>`. */
const VARIANTS: Record<string, Record<string, string>> = {
  rest: {},
  'function-url': { endpoint: 'function-url' },
  'per-user': { isolation: 'per-user' },
};

/** Synthesizes every variant of the example: offline, without docker, without credentials. */
for (const [variant, chosen] of Object.entries(VARIANTS)) {
  const context = { config: 'infra/deploy.example.yaml', install: 'no', ...chosen };
  const flags = Object.entries(context).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const command = [
    cdk,
    'synth',
    '--quiet',
    '--no-version-reporting',
    '--no-notices',
    '-o',
    `cdk.out/${variant}`,
    ...flags,
  ];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`the variant ${variant} was refused`);
    process.exit(status ?? 1);
  }
  console.log(`cdk.out/${variant}: good`);
}
