import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connected, type GatewayProcess, REFERENCE_SERVERS, startGateway } from '../../support/gateway-process.ts';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../node_modules/.cache/python-mcp', import.meta.url));
const script = fileURLToPath(new URL('open_webui.py', import.meta.url));

/** A Python that has this version of the client, installed once; undefined where there is no Python or no installing. */
function pythonWith(version: string): string | undefined {
  const folder = join(cache, version);
  const python = join(folder, 'bin', 'python');
  try {
    if (!existsSync(join(folder, 'ready'))) {
      execFileSync('python3', ['-m', 'venv', '--clear', folder], { stdio: 'ignore' });
      execFileSync(python, ['-m', 'pip', 'install', '--quiet', `mcp==${version}`], {
        stdio: 'ignore',
        timeout: 120_000,
      });
      execFileSync(python, ['-c', `import mcp; open(${JSON.stringify(join(folder, 'ready'))}, "w")`]);
    }
    return python;
  } catch {
    return undefined;
  }
}

let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGateway({ upstream: REFERENCE_SERVERS.filter(({ name }) => name === 'everything') });
  await connected(gateway, ['everything']);
}, 60_000);
afterAll(() => gateway?.[Symbol.asyncDispose]());

describe.each(['1.27.2', '2.3.0'])('the Python client %s, used as Open-WebUI uses it', (version) => {
  it('works 50 times in a row and 20 at once', { timeout: 300_000 }, async ({ skip }) => {
    const python = pythonWith(version);
    if (!python) return skip('no Python 3 with this client, and none could be installed');
    const { stdout } = await run(python, [script, gateway.url, '50', '20'], { timeout: 240_000 });
    const { count, distinct } = JSON.parse(stdout) as { count: number; distinct: object[] };
    expect(count).toBe(70);
    expect(distinct).toEqual([
      {
        protocol: '2025-11-25',
        tools: expect.any(Number),
        value: 'The sum of 2 and 40 is 42.',
        direct: 'The sum of 1 and 2 is 3.',
        error: false,
      },
    ]);
  });
});
