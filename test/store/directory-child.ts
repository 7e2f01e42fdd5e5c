/**
 * A process of its own that saves. Arguments: directory, mark, how many saves; then, where it shall be killed, the number
 * of the file operation before which that happens. Prints a line for every save that was answered.
 */
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { marked, NOW } from './marked.ts';

const [dir, mark, saves, killAt] = process.argv.slice(2) as [string, string, string, string | undefined];

let operations = 0;

/** Counts one operation, and dies in its place; a text is then half written. */
async function step(write?: () => Promise<unknown>): Promise<void> {
  operations += 1;
  if (operations !== Number(killAt)) return;
  await write?.();
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

function countHandle(handle: FileHandle): FileHandle {
  const { writeFile, sync } = handle;
  handle.writeFile = async (text, ...rest) => {
    await step(() => writeFile.call(handle, `${text}`.slice(0, `${text}`.length / 2)));
    return writeFile.call(handle, text, ...rest);
  };
  handle.sync = async () => {
    await step();
    return sync.call(handle);
  };
  return handle;
}

const files = fs as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
for (const name of [
  'link',
  'mkdir',
  'open',
  'readdir',
  'readFile',
  'readlink',
  'rename',
  'rm',
  'stat',
  'symlink',
  'unlink',
]) {
  const original = files[name]!;
  files[name] = async (...args) => {
    await step();
    const result = await original(...args);
    return name === 'open' ? countHandle(result as FileHandle) : result;
  };
}
syncBuiltinESMExports();

const { createDirectoryStore } = await import('../../lib/store/directory-store.ts');
const store = createDirectoryStore(dir);
for (let index = 0; index < Number(saves); index += 1) {
  await store.save('shared', 'stats', marked(`${mark}${index}`), NOW);
  process.stdout.write(`${mark}${index}\n`);
  await store.countRun('shared', 'stats');
}
process.stdout.write(`operations ${operations}\n`);
