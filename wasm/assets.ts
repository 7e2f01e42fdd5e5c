import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Asset {
  source: string;
  broughtBy?: string;
  bundled: string;
}

/**
 * Every file the sandbox opens at run time. `source` is where it stands in the repository (relative to `wasm/`, or a
 * package's path, seen from the package `broughtBy`); `bundled` is its name in the folder `sandbox/` beside a bundle.
 * Nothing else may build such a path.
 */
export const ASSETS = {
  worker: { source: './worker.js', bundled: 'worker.mjs' },
  quickjs: {
    source: '@jitl/quickjs-wasmfile-release-sync/wasm',
    broughtBy: 'quickjs-emscripten',
    bundled: 'quickjs.wasm',
  },
  javascriptPrelude: { source: './javascript/prelude.js', bundled: 'prelude.js' },
  lua: { source: 'wasmoon/dist/glue.wasm', bundled: 'lua.wasm' },
  luaPrelude: { source: './lua/prelude.lua', bundled: 'prelude.lua' },
  goInterpreter: { source: './go/artefact/interpreter.wasm.zst', bundled: 'go-interpreter.wasm.zst' },
} as const satisfies Record<string, Asset>;

/** Name of a file in `ASSETS`. */
export type AssetName = keyof typeof ASSETS;

/** Run from source, this module keeps its own name; a bundle has another. */
const fromSource = /\/wasm\/assets\.ts$/.test(import.meta.url);

/** Where workers run from source keep their compiled code; undefined when bundled, where there is little to gain. */
export function compileCacheFolder(): string | undefined {
  if (!fromSource) return undefined;
  return fileURLToPath(new URL('../node_modules/.cache/mcp-code-mode', import.meta.url));
}

/** Where a file of the sandbox is, from source and bundled alike. */
export function locateAsset(name: AssetName): URL {
  const { source, bundled, broughtBy }: Asset = ASSETS[name];
  if (!fromSource) return new URL(`./sandbox/${bundled}`, import.meta.url);
  if (source.startsWith('.')) return new URL(source, import.meta.url);
  const own = createRequire(import.meta.url);
  const from = broughtBy === undefined ? own : createRequire(own.resolve(broughtBy));
  return pathToFileURL(from.resolve(source));
}

/** Reads a text asset. */
export async function readTextAsset(name: AssetName): Promise<string> {
  return readFile(locateAsset(name), 'utf8');
}

/** Reads a binary asset. */
export async function readBinaryAsset(name: AssetName): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(locateAsset(name)));
}
