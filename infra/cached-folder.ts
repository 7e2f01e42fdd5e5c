import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/mcp-code-mode-bundles', import.meta.url));

/** Folders that nobody has made anew for so long are of code that is no more. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/**
 * A folder whose content follows from `content` alone: made once by `fill`, complete or not there, so that several synths
 * at once cannot disturb each other.
 */
export function cachedFolder(name: string, content: string | Uint8Array, fill: (folder: string) => void): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const folder = join(CACHE, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE)) {
    const path = join(CACHE, old);
    if (
      old.startsWith(`${name}-`) &&
      Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEEP_MS
    ) {
      rmSync(path, { recursive: true, force: true });
    }
  }
  const draft = join(CACHE, `draft-${process.pid}-${name}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  fill(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Somebody else was first, with the same content.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
