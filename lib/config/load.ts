import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GROUP_PREFIX } from './auth-rules.ts';
import { type CommandLine, parseCommandLine } from './command-line.ts';
import { environmentSettings, mistypedVariables, readEnvFile, type Setting } from './environment.ts';
import { leafKindAt, type Path, pathText } from './keys.ts';
import type { Raw } from './raw.ts';
import { type ConfigSource, readConfigText } from './read-file.ts';
import { checkRules } from './rules.ts';
import { type Config, configSchema } from './schema.ts';
import { type ConfigProblem, schemaProblems } from './schema-problems.ts';

/** A configuration ready for use. */
export interface LoadedConfig {
  config: Config;
  /** The file it came from, absolute; absent when there was none. */
  file?: string;
  /** One line each, for the log at start. */
  warnings: string[];
  /** Those of them that say who might do more than is meant: to be seen even where the log is off. */
  risks: string[];
  /** The environment with `.env` below it: what `${env:…}` is resolved from. */
  env: Record<string, string | undefined>;
}

/** A configuration that cannot be used; `problems` holds one line for each mistake. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** What a configuration is loaded from. */
export interface ConfigSources {
  /** Arguments after the program's name. */
  argv: readonly string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** `aws`: what may be deployed, by the file alone; this machine's environment and `.env` do not count. */
  target?: 'local' | 'aws';
}

const EXAMPLE = fileURLToPath(new URL('../../config.example.yaml', import.meta.url));

/** `--config`, else CONFIG_FILE, else (with `--config-default`) `config.yaml` or the example; undefined: no file. */
function readChosenFile(line: CommandLine, env: Record<string, string | undefined>, cwd: string) {
  const named = line.configFile ?? (env['CONFIG_FILE'] || undefined);
  const candidates = named ? [resolve(cwd, named)] : line.configDefault ? [join(cwd, 'config.yaml'), EXAMPLE] : [];
  for (const file of candidates) {
    try {
      return { file, text: readFileSync(file, 'utf8') };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && !named) continue;
      const why = { ENOENT: 'there is no such file', EACCES: 'no permission', EISDIR: 'it is a folder' }[code ?? ''];
      throw new ConfigError([`${shown(file, cwd)}: cannot be read: ${why ?? code ?? String(error)}`]);
    }
  }
  return undefined;
}

/** `.env`; one that cannot be read is a mistake like any other. */
function dotEnv(cwd: string): Record<string, string | undefined> {
  try {
    return readEnvFile(cwd);
  } catch (error) {
    throw new ConfigError([`.env: cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`]);
  }
}

/** A path as a reader at `cwd` would write it. */
function shown(file: string, cwd: string): string {
  const short = relative(cwd, file);
  return short.startsWith('..') || isAbsolute(short) ? file : short;
}

/** The value a setting's text stands for; undefined where it stands for none. */
function settingValue({ path, text }: Setting): { value: unknown } | { expected: string } {
  switch (leafKindAt(path)) {
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? { value: Number(text) } : { expected: 'a number' };
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(text)) return { value: true };
      return /^(false|0|no|off)$/i.test(text) ? { value: false } : { expected: 'true or false' };
    case 'list':
      return {
        value: text
          .split(',')
          .map((item) => item.trim())
          .filter(Boolean),
      };
    default:
      return { value: text };
  }
}

/** Puts a value at a path, making the objects on the way; a mistaken value on the way is left for the schema. */
function assign(root: Raw, path: readonly string[], value: unknown): void {
  let place = root;
  for (const step of path.slice(0, -1)) {
    place[step] ??= {};
    const next = place[step];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return;
    place = next as Raw;
  }
  place[path.at(-1) ?? ''] = value;
}

/** Relative paths count from the file that names them, or from `cwd` where a flag or variable does. */
function settlePaths(config: Config, folderOf: (path: Path) => string): void {
  if (config.store.dir) config.store.dir = resolve(folderOf(['store', 'dir']), config.store.dir);
  if (config.log.file) config.log.file = resolve(folderOf(['log', 'file']), config.log.file);
  for (const [index, upstream] of config.upstream.entries()) {
    if (upstream.transport !== 'stdio') continue;
    const folder = folderOf(['upstream', index]);
    upstream.working_dir = resolve(folder, upstream.working_dir);
    if (upstream.command && /^\.{1,2}[/\\]/.test(upstream.command))
      upstream.command = resolve(folder, upstream.command);
  }
}

/** From here on a group is written by its name alone. */
function settleGroups(config: Config): void {
  const plain = (id: string) => (id.startsWith(GROUP_PREFIX) ? id.slice(GROUP_PREFIX.length) : id);
  if (config.auth) config.auth.admins = config.auth.admins.map(plain);
  for (const { users, tool_expose } of config.upstream) {
    for (const user of [...users, ...tool_expose.flatMap((tool) => tool.users)]) user.id = plain(user.id);
  }
}

/** Each problem as one line that begins with its place; those of the file in its order, then the others. */
function linesOf(
  problems: ConfigProblem[],
  origins: Map<string, string>,
  source: ConfigSource | undefined,
  name: string | undefined,
): string[] {
  const placed = problems.map(({ path, message }) => {
    const text = pathText(path);
    // A list set from outside has one origin for all its items.
    const origin = origins.get(text) ?? origins.get(pathText(path.slice(0, -1)));
    if (origin) return { rank: Number.MAX_SAFE_INTEGER, line: `${origin}: ${message}` };
    const at = source?.locate(path);
    const file = name === undefined ? 'configuration' : at ? `${name}:${at.line}:${at.column}` : name;
    return { rank: at ? at.line * 10_000 + at.column : 0, line: `${file} ${text}: ${message}` };
  });
  return [...new Set(placed.sort((a, b) => a.rank - b.rank).map(({ line }) => line))];
}

/**
 * Loads and checks the configuration: flags, then the environment, then `.env`, then the file, then the defaults.
 * Throws a `ConfigError` with every mistake at once.
 */
export function loadConfig({ argv, cwd, target = 'local', ...sources }: ConfigSources): LoadedConfig {
  const line = parseCommandLine(argv);
  const env = target === 'local' ? sources.env : {};
  const envFile = target === 'local' ? dotEnv(cwd) : {};
  const wholeEnv = { ...envFile, ...env };
  const problems = [...line.problems];
  const chosen = readChosenFile(line, wholeEnv, cwd);
  const name = chosen && shown(chosen.file, cwd);

  let source: ConfigSource | undefined;
  if (chosen) {
    const read = readConfigText(chosen.text, /\.json$/i.test(chosen.file));
    if ('problems' in read) {
      throw new ConfigError([...problems, ...read.problems.map((p) => `${name}:${p.line}:${p.column} ${p.message}`)]);
    }
    source = read;
  }
  const root: Raw = source?.value ?? {};

  const origins = new Map<string, string>();
  const settings = [
    ...environmentSettings(envFile, '.env'),
    ...environmentSettings(env, 'environment'),
    ...line.settings.map(({ flag, path, text }) => ({ origin: `flag ${flag}`, path, text })),
  ];
  for (const setting of settings) {
    const read = settingValue(setting);
    if ('expected' in read) problems.push(`${setting.origin}: must be ${read.expected}`);
    else {
      assign(root, setting.path, read.value);
      origins.set(pathText(setting.path), setting.origin);
    }
  }

  const parsed = configSchema.safeParse(root);
  const rules = checkRules(root, wholeEnv, target);
  const found = [...(parsed.error ? schemaProblems(parsed.error, root) : []), ...rules.problems];
  problems.push(...linesOf(found, origins, source, name));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);

  const folder = chosen ? dirname(chosen.file) : cwd;
  settlePaths(parsed.data, (path) => (origins.has(pathText(path)) ? cwd : folder));
  settleGroups(parsed.data);
  const risks = rules.warnings.filter(({ path }) => path[0] === 'auth' || path.join('.') === 'store.scope');
  return {
    config: parsed.data,
    ...(chosen ? { file: chosen.file } : {}),
    warnings: [
      ...mistypedVariables(envFile, '.env'),
      ...mistypedVariables(env, 'environment'),
      ...linesOf(rules.warnings, origins, source, name),
    ],
    risks: linesOf(risks, origins, source, name),
    env: wholeEnv,
  };
}
