import { accessSync, constants, mkdirSync } from 'node:fs';
import { fileFault } from '../file-fault.ts';

/** Makes the store's folder where it is missing. Throws where nothing could be kept in it: better at start than at the first script. */
export function readyDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`store.dir: ${dir} cannot be used: ${fileFault(error)}`, { cause: error });
  }
}
