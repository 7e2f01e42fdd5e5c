import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SYNTH_MS = 180_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'synth-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the app as the CDK command does, with nothing in its environment that could reach AWS. */
function synth(context: Record<string, string>) {
  const out = mkdtempSync(join(folder, 'out-'));
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify({ install: 'no', ...context }),
    },
  });
  return { out, status, stderr };
}

const EXAMPLE = { config: 'infra/deploy.example.yaml' };

describe('the app that CDK runs', () => {
  it(
    'synthesizes without credentials or docker, and cdk-nag finds nothing unexplained',
    () => {
      // The variant with the most in it; `npm run synth` does them all.
      const { out, status, stderr } = synth({ ...EXAMPLE, isolation: 'per-user' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('AwsSolutions') });
      const template = readFileSync(join(out, 'mcp-code-mode-prod.template.json'), 'utf8');
      expect(template).not.toContain('SecretString');
      expect(template).not.toContain(root);
    },
    SYNTH_MS,
  );

  it('refuses a configuration with one line a mistake, and writes nothing', () => {
    const file = join(folder, 'open.yaml');
    writeFileSync(file, 'upstream:\n  - { name: a, transport: http, url: "http://localhost:1/mcp" }\n');
    const { out, status, stderr } = synth({ config: file });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      `error: ${file} deploy.public: anybody could use the public URL: set auth.require: true (or deploy.public: true if that is meant)`,
      `error: ${file}:2:33 upstream[0].url: localhost would be the function itself on AWS: give an address it can reach`,
    ]);
    expect(existsSync(join(out, 'manifest.json'))).toBe(false);
  });

  it('refuses choices that do not go together', () => {
    const { status, stderr } = synth({ ...EXAMPLE, endpoint: 'function-url', isolation: 'per-user' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error: -c isolation=per-user: needs endpoint=rest; a function URL cannot name a tenant\n',
    });
  });
});
