import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/lib/tsc.js', import.meta.url));

/** Compiles each source as a strict module of its own; the compiler's complaints, none where all is well. */
export function compileTypescript(sources: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sheets-'));
  try {
    const files = Object.entries(sources).map(([name, source]) => {
      writeFileSync(join(folder, `${name}.ts`), `${source}\nexport {};\n`);
      return `${name}.ts`;
    });
    writeFileSync(join(folder, 'console.d.ts'), 'declare const console: { log(...values: unknown[]): void };\n');
    const options = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023', '--types', ''];
    execFileSync(process.execPath, [TSC, ...options, 'console.d.ts', ...files], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    return (stdout ?? String(error)).trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
