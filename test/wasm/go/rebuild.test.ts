import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../../wasm/go/', import.meta.url));
const recorded = readFileSync(join(folder, 'artefact/interpreter.wasm.sha256'), 'utf8').split(' ')[0];
const pinned = /^const GO_RELEASE = '(.*)';$/m.exec(readFileSync(join(folder, 'build.ts'), 'utf8'))?.[1];
const REBUILD_MS = 600_000;

function installedGo(): string | undefined {
  try {
    return execFileSync('go', ['env', 'GOVERSION'], {
      encoding: 'utf8',
      env: { ...process.env, GOTOOLCHAIN: 'local' },
    }).trim();
  } catch {
    return undefined;
  }
}

describe('the committed artefact', () => {
  it('has the checksum recorded beside it', () => {
    const wasm = zstdDecompressSync(readFileSync(join(folder, 'artefact/interpreter.wasm.zst')));
    expect(createHash('sha256').update(wasm).digest('hex')).toBe(recorded);
  });

  it('is what its source gives with the pinned toolchain, byte for byte', { timeout: REBUILD_MS }, (context) => {
    if (installedGo() !== pinned) context.skip(`skipped: no go (${pinned} is needed)`);
    const output = mkdtempSync(join(tmpdir(), 'codemode-rebuilt-'));
    try {
      execFileSync(process.execPath, [join(folder, 'build.ts'), output], { stdio: ['ignore', 'ignore', 'inherit'] });
      expect(readFileSync(join(output, 'interpreter.wasm.sha256'), 'utf8').split(' ')[0]).toBe(recorded);
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
  });
});
