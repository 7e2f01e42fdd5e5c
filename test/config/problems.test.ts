import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../lib/config/load.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The problems of a configuration file with this text. */
function problemsOf(
  text: string,
  given: { argv?: string[]; env?: Record<string, string>; file?: string } = {},
): string[] {
  const file = given.file ?? 'config.yaml';
  writeFileSync(join(folder, file), text);
  try {
    loadConfig({ argv: ['--config', file, ...(given.argv ?? [])], env: given.env ?? {}, cwd: folder });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const server = (lines: string) =>
  `upstream:\n  - name: weather\n    transport: http\n    url: https://example.com/mcp\n${lines}`;

/** Each kind of mistake with the line that tells it. */
const MISTAKES: [kind: string, text: string, problems: string[]][] = [
  [
    'an unknown key of a server',
    server('    expsoe: code'),
    ['config.yaml:5:5 upstream[0].expsoe: unknown key; did you mean "expose"?'],
  ],
  [
    'an unknown key at the top, far from every known one',
    'colour: red',
    [
      'config.yaml:1:1 colour: unknown key; known here: server, connector, log, auth, groups, languages, limits, store, registry, upstream, deploy',
    ],
  ],
  [
    'a value outside a closed list',
    server('    expose: boht'),
    ['config.yaml:5:5 upstream[0].expose: must be one of both, proxy, code, not "boht"; did you mean "both"?'],
  ],
  [
    'none for a whole server',
    server('    expose: none'),
    [
      'config.yaml:5:5 upstream[0].expose: must be one of both, proxy, code, not "none"; "none" is for single tools (tool_expose)',
    ],
  ],
  [
    'typescript as a language of its own',
    'languages: [typescript]',
    [
      'config.yaml:1:13 languages[0]: must be one of javascript, lua, go, not "typescript"; TypeScript runs wherever javascript does',
    ],
  ],
  [
    "another project's name for the transport",
    'upstream:\n  - name: a\n    transport: streamable-http\n    url: https://example.com',
    [
      'config.yaml:3:5 upstream[0].transport: must be one of stdio, http, sse, not "streamable-http"; Streamable HTTP is "http"',
    ],
  ],
  [
    'text where a number belongs',
    'limits:\n  max_tool_calls: many',
    ['config.yaml:2:3 limits.max_tool_calls: must be a number, not text'],
  ],
  [
    'a fraction where a whole number belongs',
    'limits:\n  max_tool_calls: 1.5',
    ['config.yaml:2:3 limits.max_tool_calls: must be a whole number, not a fraction'],
  ],
  [
    'a number too small',
    'limits:\n  max_cpu_time_ms: 0',
    ['config.yaml:2:3 limits.max_cpu_time_ms: must be at least 1'],
  ],
  [
    'a time that is none',
    server('    connect_timeout_s: 0'),
    ['config.yaml:5:5 upstream[0].connect_timeout_s: must be more than 0'],
  ],
  ['text where a list belongs', 'languages: lua', ['config.yaml:1:1 languages: must be a list, not text']],
  ['an empty list of languages', 'languages: []', ['config.yaml:1:1 languages: must have at least one item']],
  ['a list where keys belong', 'server: [1]', ['config.yaml:1:1 server: must be keys and values, not a list']],
  [
    'text where true or false belongs',
    'limits:\n  allow_threads: "yes"',
    ['config.yaml:2:3 limits.allow_threads: must be true or false, not text'],
  ],
  [
    'a missing name',
    'upstream:\n  - transport: stdio\n    command: npx',
    ['config.yaml:2:5 upstream[0].name: is required'],
  ],
  [
    'a missing transport',
    'upstream:\n  - name: a\n    command: npx',
    ['config.yaml:2:5 upstream[0].transport: is required: one of stdio, http, sse'],
  ],
  [
    'a missing url',
    'upstream:\n  - name: a\n    transport: sse',
    ['config.yaml:2:5 upstream[0].url: is required for transport sse, e.g. url: https://example.com/mcp'],
  ],
  [
    'a missing command',
    'upstream:\n  - name: a\n    transport: stdio',
    ['config.yaml:2:5 upstream[0].command: is required for transport stdio, e.g. command: npx'],
  ],
  [
    'a url that is none',
    'upstream:\n  - name: a\n    transport: http\n    url: example',
    ['config.yaml:4:5 upstream[0].url: is no URL, e.g. https://example.com/mcp'],
  ],
  [
    'a url of another scheme',
    'upstream:\n  - name: a\n    transport: http\n    url: ftp://example.com',
    ['config.yaml:4:5 upstream[0].url: must begin with http:// or https://, not ftp://'],
  ],
  [
    'a password in a url, not repeated',
    'upstream:\n  - name: a\n    transport: http\n    url: https://me:hunter2@example.com',
    ['config.yaml:4:5 upstream[0].url: must not hold a user or password; give them as headers: { Authorization: … }'],
  ],
  [
    "a header's name with a space",
    server('    headers: { "X Y": a }'),
    [`config.yaml:5:16 upstream[0].headers["X Y"]: is no header's name`],
  ],
  [
    'two servers of one name',
    server('  - name: weather\n    alias: other\n    transport: http\n    url: https://example.com/mcp'),
    ['config.yaml:5:5 upstream[1].name: "weather" is already the name of another server'],
  ],
  [
    'two servers of one alias',
    server('  - name: b\n    alias: weather\n    transport: http\n    url: https://example.com/mcp'),
    ['config.yaml:6:5 upstream[1].alias: the namespace "weather" is already that of "weather": choose another alias'],
  ],
  [
    'two names that make one namespace',
    'upstream:\n  - { name: a-b, transport: stdio, command: x }\n  - { name: a.b, transport: stdio, command: x }',
    ['config.yaml:3:7 upstream[1].name: the namespace "a_b" is already that of "a-b": give the server an alias'],
  ],
  [
    'an alias that is no identifier',
    server('    alias: my-files'),
    ['config.yaml:5:5 upstream[0].alias: "my-files" is no identifier: use letters, digits and _, e.g. "my_files"'],
  ],
  [
    'an alias that the sandbox needs',
    server('    alias: console'),
    ['config.yaml:5:5 upstream[0].alias: "console" is a name of the sandbox itself: choose another alias'],
  ],
  [
    'an alias that is a keyword',
    server('    alias: local'),
    ['config.yaml:5:5 upstream[0].alias: "local" is a keyword of Lua: choose another alias'],
  ],
  [
    'an alias that hides a JavaScript global',
    server('    alias: JSON'),
    ['config.yaml:5:5 upstream[0].alias: "JSON" is a global of JavaScript: choose another alias'],
  ],
  [
    'an alias that Go predeclares',
    server('    alias: len'),
    ['config.yaml:5:5 upstream[0].alias: "len" is a predeclared name of Go: choose another alias'],
  ],
  [
    'a name that makes a reserved namespace',
    'upstream:\n  - { name: code, transport: stdio, command: x }',
    ['config.yaml:2:7 upstream[0].name: "code" is a name of the sandbox itself: give the server an alias'],
  ],
  [
    'a tool twice in one list',
    server('    tool_expose:\n      - { name: a, expose: none }\n      - { name: a, expose: code }'),
    ['config.yaml:7:11 upstream[0].tool_expose[1].name: "a" is already in this list'],
  ],
  [
    'a tool rule without content',
    server('    tool_expose:\n      - name: a'),
    ['config.yaml:6:9 upstream[0].tool_expose[0]: says nothing: give expose or users'],
  ],
  [
    'users without auth',
    server('    users: [{ id: ada, expose: code }]'),
    ['config.yaml:5:5 upstream[0].users: users need an auth section to be told apart: add auth: { jwt_secret: … }'],
  ],
  [
    'auth with nothing under it',
    'auth:\nstore: { dir: kept }',
    [
      'config.yaml:1:1 auth: there is nothing to verify a token with: set auth.jwt_secret, auth.user_jwt_secret or auth.jwks_url (invalid_jwt is reject)',
    ],
  ],
  [
    'reject with nothing to verify by',
    'auth: { invalid_jwt: reject }',
    [
      'config.yaml:1:1 auth: there is nothing to verify a token with: set auth.jwt_secret, auth.user_jwt_secret or auth.jwks_url (invalid_jwt is reject)',
    ],
  ],
  [
    'a group by a name that no object can have',
    'groups: { __proto__: [ada] }',
    ['config.yaml:1:1 groups: "__proto__" cannot be the name of a group: rename it'],
  ],
  [
    'a group that is not there',
    `auth: { jwt_secret: ${'x'.repeat(32)} }\ngroups: { admins: [ada] }\n${server('    users: [{ id: "group:admin", expose: code }]')}`,
    ['config.yaml:7:15 upstream[0].users[0].id: there is no group "admin"; known: admins'],
  ],
  [
    'minted tokens without a key',
    `auth: { jwt_secret: ${'x'.repeat(32)} }\n${server('    forward_auth: minted')}`,
    [
      'config.yaml:6:5 upstream[0].forward_auth: minted needs a key to sign with: set auth.mint.issuer and auth.mint.key',
    ],
  ],
  [
    'forwarding without auth',
    server('    forward_auth: session'),
    [
      'config.yaml:5:5 upstream[0].forward_auth: session needs an auth section: without one nothing is read or forwarded',
    ],
  ],
  [
    'a store for each user without auth',
    'store: { scope: user }',
    ['config.yaml:1:10 store.scope: user needs an auth section: without one nobody is told apart'],
  ],
  [
    'an address that is none',
    'server:\n  address: localhost',
    ['config.yaml:2:3 server.address: "localhost" is no address: use HOST:PORT, or :PORT for all interfaces'],
  ],
  [
    'a port too high',
    'server:\n  address: ":70000"',
    ['config.yaml:2:3 server.address: ":70000" is no address: use HOST:PORT, or :PORT for all interfaces'],
  ],
  [
    'an origin with a path',
    'server:\n  allowed_origins: [https://a.example/]',
    [
      'config.yaml:2:21 server.allowed_origins[0]: is no origin: give scheme and host alone, e.g. https://chat.example.com',
    ],
  ],
  ['a language twice', 'languages: [lua, lua]', ['config.yaml:1:18 languages[1]: is already in this list']],
  [
    'a variable that is not set',
    server('    headers: { Authorization: "Bearer ${env:WEATHER_TOKEN}" }'),
    [
      'config.yaml:5:16 upstream[0].headers.Authorization: the environment variable WEATHER_TOKEN is not set (needed for ${env:WEATHER_TOKEN})',
    ],
  ],
  [
    'an unknown kind of reference',
    server('    headers: { Authorization: "${vault:x}" }'),
    [
      'config.yaml:5:16 upstream[0].headers.Authorization: unknown kind of reference "vault"; known are ${env:NAME}, ${ssm:/path}, ${secret:id} and ${secret:id#json.key} (write $${ for a literal ${)',
    ],
  ],
  [
    'a reference that is not well formed',
    server('    headers: { Authorization: "${ssm:a b}" }'),
    ['config.yaml:5:16 upstream[0].headers.Authorization: ${ssm:/path} needs the name of a parameter'],
  ],
  [
    'a reference where none is resolved',
    'server:\n  name: ${env:NAME}',
    ['config.yaml:2:3 server.name: takes no reference; set it here, by its environment variable, or by its flag'],
  ],
  [
    'a reference without its end',
    server('    headers: { A: "Bearer ${env:TOKEN" }'),
    ['config.yaml:5:16 upstream[0].headers.A: a reference begins here that no } ends, e.g. ${env:NAME}'],
  ],
  [
    'a header that breaks its line',
    server('    headers: { A: "b\\nc" }'),
    ['config.yaml:5:16 upstream[0].headers.A: must not hold a line break'],
  ],
  ['a key twice', 'server: {}\nserver: {}', ['config.yaml:2:1 the key "server" is here twice']],
  ['a quoted key twice', 'server: { "name": a, "name": b }', ['config.yaml:1:22 the key "name" is here twice']],
  [
    "another tool's list of servers",
    'mcpServers:\n  memory: { command: npx, args: [-y, x], env: { TOKEN: s3cret } }',
    [
      'config.yaml:1:1 mcpServers: unknown key; servers are a list here: write "upstream:" with one entry for each, e.g. "- { name: memory, transport: stdio, command: …, args: […] }"',
    ],
  ],
  [
    "another tool's list of servers with addresses",
    'mcp: { servers: { wiki: { type: http, url: "https://example.com/mcp" } } }',
    [
      'config.yaml:1:1 mcp: unknown key; servers are a list here: write "upstream:" with one entry for each, e.g. "- { name: wiki, transport: http, url: … }"',
    ],
  ],
  [
    "another tool's keys of a server",
    server('    type: http\n    cwd: /\n    timeout: 5'),
    [
      'config.yaml:5:5 upstream[0].type: unknown key; here it is "transport": stdio, http or sse',
      'config.yaml:6:5 upstream[0].cwd: unknown key; here it is "working_dir"',
      'config.yaml:7:5 upstream[0].timeout: unknown key; here it is "connect_timeout_s", in seconds; calls are bounded by limits.call_timeout_ms',
    ],
  ],
  [
    'two documents',
    'server: {}\n---\nlog: {}',
    ['config.yaml:2:1 a second document begins here; the configuration is one document'],
  ],
  ['a list at the top', '- a', ['config.yaml:1:1 must hold keys and values at its top, e.g. "upstream:"']],
];

describe('a configuration with a mistake', () => {
  it.each(MISTAKES)('tells %s', (_kind, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('tells which variable was probably meant where one is not set', () => {
    const text = server('    headers: { Authorization: "Bearer ${env:WETHER_TOKEN}" }');
    expect(problemsOf(text, { env: { WEATHER_TOKEN: 's3cret', HOME: '/' } })).toEqual([
      expect.stringMatching(/WETHER_TOKEN is not set \(.*\); did you mean \$\{env:WEATHER_TOKEN\}\?$/),
    ]);
  });

  it('tells a secret that the environment has as an empty text', () => {
    expect(problemsOf('auth: { jwt_secret: "${env:SECRET}" }', { env: { SECRET: '' } })).toEqual([
      'config.yaml:1:9 auth.jwt_secret: is empty (${env:SECRET} is set to nothing): give it the secret tokens are signed with',
    ]);
  });

  it('tells bad YAML with its place', () => {
    expect(problemsOf('server: {\n  name: [a\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^config\.yaml:3:1 is no valid YAML: /)]),
    );
  });

  it('tells bad JSON with its place', () => {
    expect(problemsOf('{\n\t"server": {"nam": "x"}\n}', { file: 'config.json' })).toEqual([
      'config.json:2:13 server.nam: unknown key; did you mean "name"?',
    ]);
  });

  it.each([
    ['{\n"server": {"name": "x"}\n"log": {}}', "3:1 is no valid JSON: Expected ',' or '}' after property value"],
    ['{"server": {"name": s3cret', "1:27 is no valid JSON: Unexpected token 's'"],
    ['{"server": {}}}', '1:15 is no valid JSON: Unexpected non-whitespace character'],
    ['{"server": {}, "server": {}}', '1:16 the key "server" is here twice'],
  ])("tells that JSON is none by JSON's own words: %s", (text, problem) => {
    expect(problemsOf(text, { file: 'config.json' })).toEqual([`config.json:${problem}`]);
  });

  it('tells every mistake at once, in the order of the file', () => {
    const problems = problemsOf(
      `limits:\n  max_tool_calls: x\n  nope: 1\n${server('    alias: a b')}\nlanguages: [lau]\nauth: {}`,
      { argv: ['--server-adress', ':1', '--server-transport', 'htpp'], env: { LIMITS_MAX_CPU_TIME_MS: 'soon' } },
    );
    expect(problems.map((line) => line.split(': ')[0])).toEqual([
      '--server-adress',
      '":1"',
      'environment LIMITS_MAX_CPU_TIME_MS',
      'config.yaml:2:3 limits.max_tool_calls',
      'config.yaml:3:3 limits.nope',
      'config.yaml:8:5 upstream[0].alias',
      'config.yaml:9:13 languages[0]',
      'config.yaml:10:1 auth',
      'flag --server-transport',
    ]);
  });

  it('tells the flag or variable whose list holds a mistake', () => {
    const expected = 'must be one of javascript, lua, go, not "python"';
    expect(problemsOf(server(''), { argv: ['--languages', 'lua,python'] })).toEqual([`flag --languages: ${expected}`]);
    expect(problemsOf(server(''), { env: { LANGUAGES: 'python' } })).toEqual([`environment LANGUAGES: ${expected}`]);
  });

  it('never repeats a value that may be secret', () => {
    const problems = problemsOf(
      'auth: { jwt_secret: [hunter2], mint: hunter2 }\nupstream:\n  - { name: a, transport: http, url: "hunter2", headers: { A: [hunter2] } }',
    );
    expect(problems.length).toBeGreaterThan(3);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  it('tells a file that is not there, and one that is a folder', () => {
    const load = (file: string) => () => loadConfig({ argv: [`--config=${file}`], env: {}, cwd: folder });
    expect(load('nowhere.yaml')).toThrow('nowhere.yaml: cannot be read: there is no such file');
    expect(load('.')).toThrow('cannot be read: it is a folder');
  });

  it('tells flags that are unknown, lack their value, or are none', () => {
    const load = (...argv: string[]) => {
      try {
        loadConfig({ argv, env: {}, cwd: folder });
      } catch (error) {
        return (error as ConfigError).problems;
      }
      return [];
    };
    expect(load('--langages', 'lua')[0]).toBe('--langages: unknown flag; did you mean --languages?');
    expect(load('--zzz')).toEqual(['--zzz: unknown flag; see --help']);
    expect(load('--log-level', '--check-config')).toEqual(['--log-level: needs a value, e.g. --log-level=VALUE']);
    expect(load('config.yaml')).toEqual([
      '"config.yaml": unexpected argument; a configuration is given as --config FILE',
    ]);
  });
});
