import { readBinaryAsset, readTextAsset } from '../assets.ts';
import type { PrepareKit } from '../guest.ts';
import { lowerMemoryMinimum } from './engine.ts';

/** What a worker needs to run JavaScript. */
export interface JavascriptKit {
  module: WebAssembly.Module;
  prelude: string;
  memoryBytes: number;
}

let shared: Promise<Omit<JavascriptKit, 'memoryBytes'>> | undefined;

/** Reads and compiles the engine, once a process: its memory's limit is set where it is started. */
export const prepareJavascript: PrepareKit<JavascriptKit> = async (memoryBytes) => {
  shared ??= (async () => {
    const [binary, prelude] = await Promise.all([readBinaryAsset('quickjs'), readTextAsset('javascriptPrelude')]);
    lowerMemoryMinimum(binary);
    return { module: await WebAssembly.compile(binary), prelude };
  })();
  return { ...(await shared), memoryBytes };
};
