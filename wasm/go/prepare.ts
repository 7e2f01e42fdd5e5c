import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { readBinaryAsset } from '../assets.ts';
import type { PrepareKit } from '../guest.ts';
import type { GoKit } from './kit.ts';
import { limitMemory } from './module.ts';
import { allocateSnapshot } from './snapshot.ts';

/** Size of a page of wasm memory, bytes. */
const PAGE_BYTES = 65_536;

/**
 * Reads and compiles the Go interpreter for a memory limit (bytes above what the interpreter itself starts with), off
 * the main thread where the platform can. Throws if the artefact is missing or damaged.
 */
export const prepareGo: PrepareKit<GoKit> = async (memoryBytes) => {
  const binary = await promisify(zstdDecompress)(await readBinaryAsset('goInterpreter'));
  const limitPages = Math.ceil(memoryBytes / PAGE_BYTES);
  const { bytes, baselinePages } = limitMemory(binary, limitPages);
  const module = await WebAssembly.compile(bytes);
  const globals = WebAssembly.Module.exports(module).flatMap(({ kind, name }) => (kind === 'global' ? [name] : []));
  return {
    module,
    globals,
    maximumBytes: (baselinePages + limitPages) * PAGE_BYTES,
    snapshot: allocateSnapshot(globals.length, baselinePages * PAGE_BYTES),
  };
};
