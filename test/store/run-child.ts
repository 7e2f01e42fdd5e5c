import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a child ended, and the lines it had printed by then. */
export interface Ended {
  signal: NodeJS.Signals | null;
  lines: string[];
}

/** Runs a script of this folder as a process; `onLine` may kill it. Rejects where it fails by itself. */
export function runChild(
  script: string,
  args: readonly string[],
  onLine?: (line: string, kill: () => void) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdout.on('data', (data) => {
    rest += data;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      lines.push(rest.slice(0, end));
      rest = rest.slice(end + 1);
      onLine?.(lines.at(-1)!, () => child.kill('SIGKILL'));
    }
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code !== 0 && signal === null) reject(new Error(`${script} failed: ${errors}`));
      else resolve({ signal, lines });
    });
  });
}
