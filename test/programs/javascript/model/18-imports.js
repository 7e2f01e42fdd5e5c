// expect-error: syntax: no modules
import { readFile } from 'node:fs/promises';
export async function Run() {
  return readFile('/a.txt', 'utf8');
}
