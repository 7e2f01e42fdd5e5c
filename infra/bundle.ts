import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { ASSETS } from '../wasm/assets.ts';
import { cachedFolder } from './cached-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Some packages are CommonJS inside and ask for Node's own modules by `require`. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** ESM in chunks, so that what a request does not need is not even parsed; no source maps, which cost start-up time. */
const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  mainFields: ['module', 'main'],
  banner: { js: REQUIRE },
  legalComments: 'none',
  logLevel: 'warning',
  absWorkingDir: root,
};

/** What goes into a function's folder. */
export interface BundleOptions {
  /** Path from the project's root; becomes `index.mjs`. */
  entry: string;
  /** Whether scripts run here: adds the worker and the interpreters. */
  sandbox?: boolean;
  /** More files, by name. */
  files?: Record<string, string>;
}

/** Files by their path in a function's folder. */
type Files = Map<string, Uint8Array>;

/** What esbuild has made in this process: variants of a stack differ in their configuration only. */
const built = new Map<string, readonly OutputFile[]>();

/** Bundles an entry under this name; chunks stand beside it. */
function addBundle(files: Files, folder: string, name: string, entry: string): void {
  let made = built.get(entry);
  if (!made) {
    made = buildSync({ ...OPTIONS, entryPoints: { [name]: entry }, outdir: root, write: false }).outputFiles ?? [];
    built.set(entry, made);
  }
  for (const { path, contents } of made) files.set(join(folder, basename(path)), contents);
}

/** The interpreters' files where `wasm/assets.ts` looks for them beside a bundle. */
function addSandbox(files: Files): void {
  const wasm = createRequire(join(root, 'wasm', 'assets.ts'));
  for (const { source, bundled } of Object.values(ASSETS)) {
    const file = source.startsWith('.') ? join(root, 'wasm', source) : wasm.resolve(source);
    if (bundled.endsWith('.mjs')) addBundle(files, 'sandbox', bundled.replace(/\.mjs$/, ''), file);
    else files.set(join('sandbox', bundled), readFileSync(file));
  }
}

/** Bundles a function into a folder of its own, which stays; returns the folder. */
export function bundleFunction(name: string, { entry, sandbox = false, files: more = {} }: BundleOptions): string {
  const files: Files = new Map();
  addBundle(files, '', 'index', join(root, entry));
  if (sandbox) addSandbox(files);
  for (const [file, text] of Object.entries(more)) files.set(file, Buffer.from(text));
  const content = Buffer.concat(
    [...files].flatMap(([file, bytes]) => [Buffer.from(`${file}:${bytes.length}\n`), bytes]),
  );
  return cachedFolder(name, content, (folder) => {
    for (const [file, bytes] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), bytes);
    }
  });
}
