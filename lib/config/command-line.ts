import { nearest } from '../nearest.ts';

/** The flags that set a key: flag, environment name, path (the reference's table). */
export const FLAGS = [
  { flag: '--server-name', env: 'SERVER_NAME', path: ['server', 'name'] },
  { flag: '--server-version', env: 'SERVER_VERSION', path: ['server', 'version'] },
  { flag: '--server-transport', env: 'SERVER_TRANSPORT', path: ['server', 'transport'] },
  { flag: '--server-address', env: 'SERVER_ADDRESS', path: ['server', 'address'] },
  { flag: '--reconnect-interval', env: 'RECONNECT_INTERVAL', path: ['connector', 'reconnect_interval_s'] },
  { flag: '--languages', env: 'LANGUAGES', path: ['languages'] },
  { flag: '--code-store-dir', env: 'CODE_STORE_DIR', path: ['store', 'dir'] },
  { flag: '--log-level', env: 'LOG_LEVEL', path: ['log', 'level'] },
  { flag: '--log-file', env: 'LOG_FILE', path: ['log', 'file'] },
] as const;

/** What the command line asks for. */
export interface CommandLine {
  /** `--check-config`, `--help` and `--version` answer and end; without them the gateway runs. */
  mode: 'run' | 'check-config' | 'help' | 'version';
  /** `--config`; the last one wins. */
  configFile?: string;
  /** `--config-default` (what `npm start` passes): `config.yaml` where there is one, else the example. */
  configDefault: boolean;
  settings: { flag: string; path: readonly string[]; text: string }[];
  problems: string[];
}

const MODES: Record<string, CommandLine['mode']> = {
  '--check-config': 'check-config',
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Reads the arguments that follow the program's name; `--flag value` and `--flag=value` alike. Never throws. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const line: CommandLine = { mode: 'run', configDefault: false, settings: [], problems: [] };
  const names = ['--config', ...FLAGS.map((known) => known.flag), ...Object.keys(MODES)];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const known = FLAGS.find(({ flag }) => flag === name);
    if (known || name === '--config') {
      const next = argv[i + 1];
      const value = equals >= 0 ? argument.slice(equals + 1) : next?.startsWith('--') ? undefined : next;
      if (equals < 0 && value !== undefined) i++;
      if (value === undefined) line.problems.push(`${name}: needs a value, e.g. ${name}=VALUE`);
      else if (known) line.settings.push({ flag: name, path: known.path, text: value });
      else line.configFile = value;
    } else if (argument === '--config-default') line.configDefault = true;
    else if (MODES[argument]) line.mode = MODES[argument];
    else if (!argument.startsWith('-')) {
      line.problems.push(`${JSON.stringify(argument)}: unexpected argument; a configuration is given as --config FILE`);
    } else {
      const meant = nearest(name, names);
      line.problems.push(`${name}: unknown flag; ${meant ? `did you mean ${meant}?` : 'see --help'}`);
    }
  }
  return line;
}

/** The answer to `--help`. */
export const HELP = `mcp-code-mode: one MCP server that turns many into functions a model can program

  --config FILE                  configuration, YAML or JSON (CONFIG_FILE)
${FLAGS.map(({ flag, env, path }) => `  ${`${flag} VALUE`.padEnd(30)} ${path.join('.')} (${env})`).join('\n')}
  --check-config                 check the configuration, print what would be exposed, and end
  --version, --help

Values are taken from flags, then the environment, then .env, then the file, then the defaults. Every other
key of the file can be set by its path in capitals, e.g. LIMITS_MAX_CPU_TIME_MS=2000 or AUTH_JWT_SECRET=….
Lists are separated by commas. With no transport named the server speaks MCP over stdio.
`;
