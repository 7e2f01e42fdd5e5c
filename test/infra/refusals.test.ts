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

describe('synth', () => {
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
    expect(problems({ isolation: 'per-user' })).toEqual([]);
  });
});
