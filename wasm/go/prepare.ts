import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { readBinaryAsset } from '../assets.ts';
import type { PrepareKit } from '../guest.ts';
import { BASELINE_PAGES, type GoKit, PAGE_BYTES } from './kit.ts';
import { openModule } from './module.ts';
import { snapshotBytes } from './snapshot.ts';

/**
 * Reads and compiles the Go interpreter for a memory limit (bytes above the interpreter's own need), off the main
 * thread where the platform can. Do it once a process and limit; throws if the artefact is missing or damaged.
 */
export const prepareGo: PrepareKit<GoKit> = async (memoryBytes) => {
  const binary = await promisify(zstdDecompress)(await readBinaryAsset('goInterpreter'));
  const { bytes, globals } = openModule(binary, BASELINE_PAGES + Math.ceil(memoryBytes / PAGE_BYTES));
  return {
    module: await WebAssembly.compile(bytes),
    globals,
    memoryBytes,
    snapshot: new SharedArrayBuffer(snapshotBytes(globals.length)),
  };
};
