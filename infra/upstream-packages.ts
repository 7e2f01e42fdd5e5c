import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NpxPackage, npxPackage } from '../lib/config/npx-package.ts';
import type { Config, UpstreamConfig } from '../lib/config/schema.ts';
import { cachedFolder } from './cached-folder.ts';

/** Where a layer's files are at run time. */
const MOUNT = '/opt/upstreams';

/** What the functions run on; packages with native parts are fetched for it. */
const PLATFORM = ['--os=linux', '--cpu=arm64', '--libc=glibc'];

/** One folder a package and version, so that two versions of one package can stand beside each other. */
const folderOf = ({ name, version }: NpxPackage) => `${name.replace('/', '+')}@${version}`;

function packageOf({ transport, args }: UpstreamConfig): NpxPackage | undefined {
  if (transport !== 'stdio') return undefined;
  const read = npxPackage(args);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

/** The script `npx` would run: the only command of a package, or the one that bears its name. */
function commandFile(folder: string, { name }: NpxPackage): string {
  const home = join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>;
  };
  const own = name.split('/').at(-1) ?? name;
  const files = typeof bin === 'string' ? { [own]: bin } : (bin ?? {});
  const file = files[own] ?? (Object.keys(files).length === 1 ? Object.values(files)[0] : undefined);
  if (!file) throw new Error(`the package ${name} has no command that npx could run`);
  return join('node_modules', name, file);
}

/** Installs a package into a folder of its own, or only names it there. */
function fetchPackage(folder: string, { name, version }: NpxPackage, install: boolean): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
  if (!install) return;
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', ...PLATFORM];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The servers of a configuration that AWS starts by a command. */
export interface UpstreamPackages {
  /** What the layer holds; absent where no server is started by a command. */
  folder?: string;
  /** The configuration with each `npx` replaced by `node` and the installed package's own script. */
  upstream: Config['upstream'];
}

/**
 * Installs the packages that `npx` would fetch into a folder for the layer. Without `install` (the offline synth) the
 * folder holds their names only, and what is synthesized cannot be deployed.
 */
export function upstreamPackages(config: Config, install: boolean): UpstreamPackages {
  const packages = new Map<UpstreamConfig, NpxPackage>();
  for (const entry of config.upstream) {
    const named = packageOf(entry);
    if (named) packages.set(entry, named);
  }
  if (packages.size === 0) return { upstream: config.upstream };
  const names = [...new Set([...packages.values()].map(folderOf))].sort();
  const layer = cachedFolder('layer', `${install} ${names.join(' ')}`, (folder) => {
    for (const named of packages.values()) fetchPackage(join(folder, 'upstreams', folderOf(named)), named, install);
  });
  const started = (entry: UpstreamConfig): UpstreamConfig => {
    const named = packages.get(entry);
    if (!named) return entry;
    const file = install ? commandFile(join(layer, 'upstreams', folderOf(named)), named) : 'not-installed';
    return {
      ...entry,
      command: 'node',
      args: [`${MOUNT}/${folderOf(named)}/${file}`, ...named.args],
      // Only /tmp can be written to.
      env: { HOME: '/tmp', ...entry.env },
      working_dir: '/tmp',
    };
  };
  return { folder: layer, upstream: config.upstream.map(started) };
}
