import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOptions } from '../../infra/options.ts';
import { ConfigError, loadConfig } from '../../lib/config/load.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A configuration that may be deployed; what is appended may not. */
const GOOD = 'auth: { require: true, jwt_secret: "${secret:webui}" }\n';

function load(text: string) {
  writeFileSync(join(folder, 'config.yaml'), text);
  return loadConfig({ argv: ['--config', 'config.yaml'], env: process.env, cwd: folder, target: 'aws' });
}

function problemsOf(text: string): string[] {
  try {
    load(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const server = (lines: string) =>
  `${GOOD}upstream:\n  - name: a\n    transport: http\n    url: https://example.com/mcp\n${lines}`;
const command = (line: string) => `${GOOD}upstream:\n  - name: a\n    transport: stdio\n    ${line}\n`;
const KEEP = 'must not be written here: keep it in ${secret:id} or ${ssm:/path}';

const REFUSED: [what: string, text: string, problems: string[]][] = [
  [
    'a public URL without auth',
    'languages: [lua]',
    [
      'config.yaml deploy.public: anybody could use the public URL: set auth.require: true (or deploy.public: true if that is meant)',
    ],
  ],
  [
    'a public URL that serves strangers',
    'auth: { jwt_secret: "${secret:webui}" }',
    [
      'config.yaml:1:1 auth.require: anybody could use the public URL: set auth.require: true (or deploy.public: true if that is meant)',
    ],
  ],
  [
    'a literal JWT secret',
    'auth: { require: true, jwt_secret: hunter2 }',
    [`config.yaml:1:24 auth.jwt_secret: ${KEEP}`],
  ],
  [
    'a literal key to sign with',
    'auth: { require: true, jwks_url: "https://a.example/jwks", mint: { issuer: me, key: hunter2 } }',
    [`config.yaml:1:80 auth.mint.key: ${KEEP}`],
  ],
  [
    'a literal token in a header',
    server('    headers: { Authorization: Bearer hunter2 }'),
    [`config.yaml:6:16 upstream[0].headers.Authorization: ${KEEP}`],
  ],
  [
    'a literal key in a URL',
    server('').replace('/mcp', '/mcp?api_key=hunter2'),
    [`config.yaml:5:5 upstream[0].url: "api_key" ${KEEP}`],
  ],
  [
    'a literal password in the environment',
    command('command: npx\n    args: [p@1.0.0]\n    env: { DB_PASSWORD: hunter2 }'),
    [`config.yaml:7:12 upstream[0].env.DB_PASSWORD: ${KEEP}`],
  ],
  [
    'a literal token among arguments',
    command('command: npx\n    args: [p@1.0.0, --token, hunter2]'),
    [`config.yaml:6:30 upstream[0].args[2]: ${KEEP}`],
  ],
  [
    'a token in one argument',
    command('command: npx\n    args: [p@1.0.0, --api-key=hunter2]'),
    [`config.yaml:6:21 upstream[0].args[1]: ${KEEP}`],
  ],
  [
    'a variable of this machine',
    server('    headers: { Authorization: "${env:PATH}" }'),
    [
      "config.yaml:6:16 upstream[0].headers.Authorization: ${env:PATH} is read from this machine's environment; on AWS use ${ssm:/path} or ${secret:id}",
    ],
  ],
  [
    'a server on loopback',
    server('').replace('https://example.com', 'http://localhost:8000'),
    ['config.yaml:5:5 upstream[0].url: localhost would be the function itself on AWS: give an address it can reach'],
  ],
  [
    'a public server over plain http',
    server('').replace('https://example.com', 'http://example.com'),
    ['config.yaml:5:5 upstream[0].url: would cross the internet in the clear: use https://'],
  ],
  [
    'a command other than npx',
    command('command: python3'),
    [
      'config.yaml:5:5 upstream[0].command: cannot run on AWS: only npx with a pinned package can, or a server reached by url',
    ],
  ],
  [
    'a package that is not pinned',
    command('command: npx\n    args: [-y, "@scope/server@latest"]'),
    [
      'config.yaml:6:5 upstream[0].args: "@scope/server@latest" must be pinned to a version on AWS, e.g. @scope/server@1.2.3',
    ],
  ],
  [
    'npx without a package',
    command('command: npx'),
    ['config.yaml:5:5 upstream[0].command: must name the package that npx is to run'],
  ],
  [
    'unverified tokens',
    'auth: { require: true, invalid_jwt: skip }',
    [
      'config.yaml:1:24 auth.invalid_jwt: skip lets anybody be any user: use reject (or set auth.allow_unverified: true)',
    ],
  ],
  [
    'too little memory for Go',
    `${GOOD}deploy: { memory_mb: 256 }`,
    ['config.yaml:2:11 deploy.memory_mb: Go needs at least 512: raise it, or leave go out of languages'],
  ],
  [
    'a mistyped deploy key',
    `${GOOD}deploy: { memory: 512 }`,
    ['config.yaml:2:11 deploy.memory: unknown key; did you mean "memory_mb"?'],
  ],
  [
    'a stage that is no name',
    `${GOOD}deploy: { stage: My-Stage }`,
    ['config.yaml:2:11 deploy.stage: must be 1 to 20 small letters and digits, the first a letter'],
  ],
];

const LOOKS = 'looks like a secret: keep it in ${secret:id} or ${ssm:/path}';
const npx = (lines: string) => command(`command: npx\n    ${lines}`);
const domain = (name: string, arn: string) =>
  `${GOOD}deploy: { domain: { name: "${name}", certificate_arn: "${arn}" } }`;
const ARN = 'arn:aws:acm:eu-central-1:123456789012:certificate/x';

/** Where else a secret can stand, and what else cannot work. */
const ALSO_REFUSED: [what: string, text: string, problem: string][] = [
  ...['STRIPE_KEY', 'GITHUB_PAT', 'PASSPHRASE', 'BEARER', 'ID_JWT', 'SENTRY_DSN'].map(
    (name): [string, string, string] => [
      `a literal ${name}`,
      npx(`args: [p@1.0.0]\n    env: { ${name}: hunter2 }`),
      `config.yaml:7:12 upstream[0].env.${name}: ${KEEP}`,
    ],
  ),
  [
    'a password in an address of the environment',
    npx('args: [p@1.0.0]\n    env: { DATABASE_URL: "postgres://me:hunter2@db.example.com/x" }'),
    `config.yaml:7:12 upstream[0].env.DATABASE_URL: ${LOOKS}`,
  ],
  [
    'a key in a variable of any name',
    npx('args: [p@1.0.0]\n    env: { PEM: "-----BEGIN EC PRIVATE KEY-----" }'),
    `config.yaml:7:12 upstream[0].env.PEM: ${LOOKS}`,
  ],
  [
    'a bearer in a header of any name',
    server('    headers: { X-Access: Bearer hunter2 }'),
    `config.yaml:6:16 upstream[0].headers.X-Access: ${LOOKS}`,
  ],
  [
    'a header among arguments',
    npx('args: [p@1.0.0, --header, "Authorization: Bearer hunter2"]'),
    `config.yaml:6:31 upstream[0].args[2]: ${KEEP}`,
  ],
  [
    'a variable among arguments',
    npx('args: [p@1.0.0, API_KEY=hunter2]'),
    `config.yaml:6:21 upstream[0].args[1]: ${KEEP}`,
  ],
  [
    'a password in an address among arguments',
    npx('args: [p@1.0.0, "postgres://me:hunter2@db.example.com/x"]'),
    `config.yaml:6:21 upstream[0].args[1]: ${LOOKS}`,
  ],
  [
    'a token among arguments that its form betrays',
    npx('args: [p@1.0.0, ghp_0123456789abcdefghijklmnopqrstuvwxyz]'),
    `config.yaml:6:21 upstream[0].args[1]: ${LOOKS}`,
  ],
  [
    'a token in the path of a URL',
    server('').replace('/mcp', '/sk-proj-0123456789abcdefghij/mcp'),
    `config.yaml:5:5 upstream[0].url: ${LOOKS}`,
  ],
  [
    'a signature in a URL',
    server('').replace('/mcp', '/mcp?sig=hunter2'),
    `config.yaml:5:5 upstream[0].url: "sig" ${KEEP}`,
  ],
  [
    'a server on loopback in other words',
    server('').replace('https://example.com', 'https://localhost.'),
    'config.yaml:5:5 upstream[0].url: localhost. would be the function itself on AWS: give an address it can reach',
  ],
  [
    'a server on loopback, mapped',
    server('').replace('https://example.com', 'http://[::ffff:127.0.0.1]:8000'),
    'config.yaml:5:5 upstream[0].url: [::ffff:7f00:1] would be the function itself on AWS: give an address it can reach',
  ],
  [
    'a public server over plain http whose name begins like a private address',
    server('').replace('https://example.com', 'http://10.example.com'),
    'config.yaml:5:5 upstream[0].url: would cross the internet in the clear: use https://',
  ],
  [
    'keys of an issuer on loopback',
    'auth: { require: true, jwks_url: "https://localhost/jwks", audience: us }',
    'config.yaml:1:24 auth.jwks_url: localhost would be the function itself on AWS: give an address it can reach',
  ],
  [
    'keys of an issuer over plain http',
    'auth: { require: true, jwks_url: "http://login.example.org/jwks", audience: us }',
    'config.yaml:1:24 auth.jwks_url: would cross the internet in the clear: use https://',
  ],
  [
    'a domain with a scheme',
    domain('https://mcp.example.com', ARN),
    'config.yaml:2:21 deploy.domain.name: must be a host name in small letters, e.g. mcp.example.com',
  ],
  [
    'a certificate that is none',
    domain('mcp.example.com', 'arn:nonsense'),
    "config.yaml:2:46 deploy.domain.certificate_arn: must be the ARN of a certificate of ACM, in the stack's region",
  ],
  [
    'a bucket of another name than its own',
    `${GOOD}store: { bucket: ours }`,
    'config.yaml:2:10 store.bucket: code is kept in a bucket of the stack (output BucketName), not in this one: leave it out',
  ],
  [
    'a patience that outlasts a refresh',
    server('    connect_timeout_s: 600'),
    'config.yaml:6:5 upstream[0].connect_timeout_s: must be at most 240 on AWS: a refresh of the lists ends after five minutes',
  ],
  [
    'memory that a script alone may use up',
    `${GOOD}languages: [lua]\nlimits: { max_memory_bytes: 1073741824 }\ndeploy: { memory_mb: 1024 }`,
    'config.yaml:4:11 deploy.memory_mb: with limits.max_memory_bytes at 1024 MB at least 1216 are needed: raise it, or lower that',
  ],
];

/** Secrets in the disguise of something else. `TOKEN` is shaped as one, and none. */
const TOKEN = 'q8Zr2Lw0xV5tYb71';
const url = (text: string) => server('').replace('https://example.com/mcp', `"${text}"`);
const DISGUISED: [what: string, text: string, problem: string][] = [
  ...['code', 'key', 'token', 'sig', 'apikey', 'apiKey', 'password', 'subscription-key', 'functionsKey'].map(
    (name): [string, string, string] => [
      `the parameter ${name} of a URL`,
      url(`https://example.com/mcp?v=1&${name}=hunter2`),
      `config.yaml:5:5 upstream[0].url: "${name}" ${KEEP}`,
    ],
  ),
  [
    'a parameter of a URL that begins with a reference',
    url('${ssm:/base}/mcp?code=hunter2'),
    `config.yaml:5:5 upstream[0].url: "code" ${KEEP}`,
  ],
  [
    'a parameter of a URL among arguments',
    npx('args: [p@1.0.0, "https://example.com/mcp?apikey=hunter2"]'),
    `config.yaml:6:21 upstream[0].args[1]: "apikey" ${KEEP}`,
  ],
  [
    'a parameter of a URL after a flag',
    npx('args: [p@1.0.0, "--url=https://example.com/mcp?code=hunter2"]'),
    `config.yaml:6:21 upstream[0].args[1]: "code" ${KEEP}`,
  ],
  [
    'a parameter of a URL in the environment',
    npx('args: [p@1.0.0]\n    env: { BASE: "https://example.com/mcp?sig=hunter2" }'),
    `config.yaml:7:12 upstream[0].env.BASE: "sig" ${KEEP}`,
  ],
  ['a password after -p', npx('args: [p@1.0.0, -p, hunter2]'), `config.yaml:6:25 upstream[0].args[2]: ${LOOKS}`],
  ['a password in -p=', npx('args: [p@1.0.0, -p=hunter2]'), `config.yaml:6:21 upstream[0].args[1]: ${LOOKS}`],
  [
    'a password after --password',
    npx('args: [p@1.0.0, --password, hunter2]'),
    `config.yaml:6:33 upstream[0].args[2]: ${KEEP}`,
  ],
  [
    'half a token before a reference',
    server('    headers: { Authorization: "Bearer abc${ssm:/a}" }'),
    `config.yaml:6:16 upstream[0].headers.Authorization: ${LOOKS}`,
  ],
  [
    'half a token after a reference',
    server(`    headers: { Authorization: "Bearer \${ssm:/a}${TOKEN}" }`),
    `config.yaml:6:16 upstream[0].headers.Authorization: ${LOOKS}`,
  ],
  [
    'a token beside a reference, in one value',
    server(`    headers: { Cookie: "a=\${ssm:/a}; b=${TOKEN}" }`),
    `config.yaml:6:16 upstream[0].headers.Cookie: ${LOOKS}`,
  ],
  [
    'a password beside a reference to a user',
    npx('args: [p@1.0.0]\n    env: { DATABASE_URL: "postgres://${ssm:/user}:hunter2@db.example.com/x" }'),
    `config.yaml:7:12 upstream[0].env.DATABASE_URL: ${LOOKS}`,
  ],
  [
    'a token beside a reference in an argument',
    npx(`args: [p@1.0.0, "--token=${TOKEN}\${ssm:/a}"]`),
    `config.yaml:6:21 upstream[0].args[1]: ${LOOKS}`,
  ],
  [
    'half a JWT secret',
    `auth: { require: true, jwt_secret: "${TOKEN}\${secret:webui}" }`,
    `config.yaml:1:24 auth.jwt_secret: ${LOOKS}`,
  ],
];

describe('synth', () => {
  it.each(ALSO_REFUSED)('refuses %s', (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it.each(DISGUISED)('refuses %s', (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it.each([
    ['parameters that are no secrets', url('https://example.com/mcp?code=de&codec=h264&sort=key&page=2')],
    ['a code that is a word', url('https://example.com/mcp?code=python')],
    ['parameters that are references', url('https://example.com/mcp?code=${ssm:/a}&key=${secret:b}')],
    ['a port after -p', npx('args: [p@1.0.0, -p, "8080"]')],
    ['a path after -p', npx('args: [p@1.0.0, -p, /data/files, -p, ./x, -p=C\\x, -p, .]')],
    ['a reference after -p', npx('args: [p@1.0.0, -p, "${ssm:/a}"]')],
    ['a scheme before a reference', server('    headers: { Authorization: "Basic ${ssm:/a}" }')],
    ['a kind of key before a reference', server('    headers: { Authorization: "Bearer sk-${ssm:/a}" }')],
    ['named references in one value', server('    headers: { Cookie: "session=${ssm:/a}; lang=en-us" }')],
    [
      'hosts beside a reference',
      npx('args: [p@1.0.0]\n    env: { SENTRY_DSN: "https://${ssm:/a}@o4506789abc012345.ingest.example.com/450678" }'),
    ],
    [
      'an address with references for user and password',
      npx('args: [p@1.0.0]\n    env: { DATABASE_URL: "postgres://${ssm:/u}:${ssm:/p}@db.example.com/x" }'),
    ],
    [
      'a tenant beside a reference',
      npx(
        'args: [p@1.0.0]\n    env: { AUTH_URL: "https://login.example.com/7f3c1a52-9be0-4c1d-8f6e-2a4b6c8d0e1f/${ssm:/a}" }',
      ),
    ],
  ])('does not take for a secret %s', (_what, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('does not take for a secret what is none', () => {
    const env = '{ HOME_PATH: /tmp, COMPASS: north, KEYBOARD: de, ASSIGNEE: me, PAGE: "https://example.com:443/a@b" }';
    expect(problemsOf(npx(`args: [p@1.0.0, --root, /tmp, a=b, "https://example.com/mcp"]\n    env: ${env}`))).toEqual(
      [],
    );
    expect(problemsOf(npx('args: [p@1.0.0, --header, "Authorization: Bearer ${ssm:/a}"]'))).toEqual([]);
    expect(problemsOf(domain('mcp.example.com', ARN))).toEqual([]);
  });

  it('warns of what a function outside a network cannot reach, and of a folder that it does not have', () => {
    expect(load(server('').replace('https://example.com', 'https://192.168.1.2')).warnings).toEqual([
      'config.yaml:5:5 upstream[0].url: is a private address, which the functions cannot reach unless you attach them to your network',
    ]);
    expect(load(npx('args: [p@1.0.0]\n    working_dir: /data')).warnings).toEqual([
      'config.yaml:7:5 upstream[0].working_dir: is not used on AWS: servers start in /tmp',
    ]);
  });

  it.each<[key: string, lines: string, warning: string]>([
    [
      'server.transport',
      'server: { transport: stdio }',
      '2:11 server.transport: is not used on AWS: clients come by Streamable HTTP alone, to the path /mcp',
    ],
    [
      'server.address',
      'server: { address: "127.0.0.1:9000" }',
      '2:11 server.address: is not used on AWS: the address is the output Url; a name of your own is deploy.domain',
    ],
    [
      'server.max_body_bytes',
      'server: { max_body_bytes: 10000000 }',
      '2:11 server.max_body_bytes: is more than Lambda lets through: with what it adds, a request has 6291456 bytes at most',
    ],
    [
      'connector.reconnect_interval_s',
      'connector: { reconnect_interval_s: 5 }',
      '2:14 connector.reconnect_interval_s: is not used on AWS: a server that is down is tried again at the next refresh (registry.refresh_s)',
    ],
    [
      'registry.refresh_s',
      'registry: { refresh_s: 90 }',
      '2:13 registry.refresh_s: is rounded to whole minutes on AWS: give a multiple of 60',
    ],
    [
      'limits.max_wall_time_ms',
      'limits: { max_wall_time_ms: 1000000 }',
      '2:11 limits.max_wall_time_ms: is not reached on AWS: every request ends before 900000',
    ],
    [
      'limits.call_timeout_ms',
      'limits: { call_timeout_ms: 1000000 }',
      '2:11 limits.call_timeout_ms: is not reached on AWS: every request ends before 900000',
    ],
    [
      'deploy.permission_model',
      'deploy: { permission_model: true }\nupstream:\n  - { name: a, transport: stdio, command: npx, args: [p@1.0.0] }',
      '2:11 deploy.permission_model: is not used where a server is started by a command: under it no process could be',
    ],
    ['store.dir', 'store: { dir: code }', '2:10 store.dir: is not used on AWS: code is kept in a bucket'],
    ['log.file', 'log: { file: a.log }', '2:8 log.file: is not used on AWS: logs go to CloudWatch'],
  ])('says in one line that %s has no effect there', (_key, lines, warning) => {
    const none = 'config.yaml upstream: no server is named, so there is nothing to call; see config.example.yaml';
    expect(load(`${GOOD}${lines}\n`).warnings.filter((line) => line !== none)).toEqual([`config.yaml:${warning}`]);
  });

  it('says nothing of keys that do have an effect there', () => {
    const server = 'server: { transport: http, max_body_bytes: 6000000, name: mine }';
    const personal = `upstream:\n  - { name: a, transport: http, url: "https://a.example/mcp", catalogue: per_user }\n`;
    const others = 'registry: { refresh_s: 120, cache_s: 5 }\nlimits: { max_wall_time_ms: 600000 }';
    const deploy = 'deploy: { permission_model: true }';
    const text = `${GOOD}${server}\n${deploy}\nconnector: { reconnect_interval_s: 5 }\n${others}\n${personal}`;
    expect(load(text).warnings).toEqual([]);
  });

  it('warns of a throttle that a function URL does not have', () => {
    const warnings = (text: string, endpoint: string) =>
      readOptions((key) => ({ endpoint })[key], load(text).config).warnings;
    const throttle = `${GOOD}deploy: { throttle: { rate: 5 } }`;
    expect(warnings(throttle, 'function-url')).toEqual([
      'deploy.throttle: is not used with -c endpoint=function-url; deploy.reserved_concurrency bounds it',
    ]);
    expect(warnings(throttle, 'rest')).toEqual([]);
    expect(warnings(GOOD, 'function-url')).toEqual([]);
  });

  it.each(REFUSED)('refuses %s', (_what, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('takes what is closed, and what is opened on purpose', () => {
    expect(problemsOf(GOOD)).toEqual([]);
    expect(problemsOf('deploy: { public: true }')).toEqual([]);
    expect(problemsOf('auth: { require: true, invalid_jwt: skip, allow_unverified: true }')).toEqual([]);
    expect(problemsOf(server('').replace('https://example.com', 'http://10.0.0.7:8000'))).toEqual([]);
    expect(problemsOf(`${GOOD}languages: [lua]\ndeploy: { memory_mb: 256 }`)).toEqual([]);
    expect(problemsOf(server('    headers: { Authorization: "Bearer ${ssm:/a}", X-Team: blue }'))).toEqual([]);
  });

  it('warns of more servers started by a command than there is memory for', () => {
    const servers = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `  - { name: s${at}, transport: stdio, command: npx, args: [p@1.0.0] }\n`,
      );
    expect(load(`${GOOD}upstream:\n${servers(6).join('')}`).warnings).toEqual([]);
    expect(load(`${GOOD}upstream:\n${servers(7).join('')}`).warnings).toEqual([
      'config.yaml deploy.memory_mb: 7 servers started by a command take some 80 MB each beside the 512 that scripts need: give 1072',
    ]);
  });

  it('goes by the file alone, whatever the machine sets', () => {
    process.env['SERVER_NAME'] = 'from-this-machine';
    try {
      expect(load(GOOD).config.server.name).toBe('mcp-code-mode');
    } finally {
      delete process.env['SERVER_NAME'];
    }
  });

  it('refuses choices that do not exist or do not go together', () => {
    const { config } = load(GOOD);
    const problems = (context: Record<string, string>, of = config) => readOptions((key) => context[key], of).problems;
    expect(problems({ endpoint: 'http' })).toEqual(['-c endpoint=http: must be one of rest, function-url']);
    expect(problems({ isolation: 'per-user', endpoint: 'function-url' })).toEqual([
      '-c isolation=per-user: needs endpoint=rest; a function URL cannot name a tenant',
    ]);
    expect(problems({ isolation: 'per-user' }, load('deploy: { public: true }').config)).toEqual([
      '-c isolation=per-user: needs auth.require: true, so that every request has a verified user',
    ]);
    const unverified = load('auth: { require: true, invalid_jwt: skip, allow_unverified: true }').config;
    expect(problems({ isolation: 'per-user' }, unverified)).toEqual([
      '-c isolation=per-user: needs auth.invalid_jwt: reject; by a token that nobody checks anybody could enter any environment',
    ]);
    expect(problems({ isolation: 'per-user' })).toEqual([]);
  });
});
