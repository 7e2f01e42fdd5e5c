import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { ASSETS } from '../wasm/assets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Rebuilt at every synth; CDK copies what it needs into its output by content. */
const CACHE = join(root, 'node_modules', '.cache', 'mcp-code-mode-bundles');

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

/** What esbuild has made in this process: variants of a stack differ in their configuration only. */
const built = new Map<string, readonly OutputFile[]>();

/** Bundles an entry into a folder under this name; chunks stand beside it. */
function bundleInto(folder: string, name: string, entry: string): void {
  let files = built.get(entry);
  if (!files) {
    const outdir = join(CACHE, basename(entry));
    files = buildSync({ ...OPTIONS, entryPoints: { [name]: entry }, outdir, write: false }).outputFiles ?? [];
    built.set(entry, files);
  }
  for (const { path, contents } of files) writeFileSync(join(folder, basename(path)), contents);
}

/** The interpreters' files where `wasm/assets.ts` looks for them beside a bundle. */
function addSandbox(folder: string): void {
  const target = join(folder, 'sandbox');
  mkdirSync(target);
  const wasm = createRequire(join(root, 'wasm', 'assets.ts'));
  for (const { source, bundled } of Object.values(ASSETS)) {
    const file = source.startsWith('.') ? join(root, 'wasm', source) : wasm.resolve(source);
    if (bundled.endsWith('.mjs')) bundleInto(target, bundled.replace(/\.mjs$/, ''), file);
    else cpSync(file, join(target, bundled));
  }
}

/** Bundles a function into a folder of its own, which stays; returns the folder. */
export function bundleFunction(name: string, { entry, sandbox = false, files = {} }: BundleOptions): string {
  const folder = join(CACHE, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  bundleInto(folder, 'index', join(root, entry));
  if (sandbox) addSandbox(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}
