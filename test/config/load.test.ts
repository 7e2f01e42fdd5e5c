import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerFlag } from '../../lib/config/answer-flag.ts';
import { loadConfig } from '../../lib/config/load.ts';
import { configSchema } from '../../lib/config/schema.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
const load = (argv: string[] = [], env: Record<string, string> = {}) => loadConfig({ argv, env, cwd });

describe('the configuration', () => {
  it("has the reference's defaults", () => {
    const { config, file } = load();
    expect(file).toBeUndefined();
    expect(config).toMatchObject({
      server: { name: 'mcp-code-mode', version: '0.1.0', transport: 'stdio', address: ':8000' },
      connector: { reconnect_interval_s: 30 },
      languages: ['javascript', 'lua', 'go'],
      limits: {
        max_cpu_time_ms: 1000,
        max_memory_bytes: 67_108_864,
        allow_threads: false,
        max_tool_calls: 1000,
        call_timeout_ms: 30_000,
      },
      store: { dir: '' },
      upstream: [],
    });
    expect(config.auth).toBeUndefined();
  });

  it('takes flags before the environment before .env before the file before the defaults', () => {
    write(
      'c.yaml',
      'server: { name: file, version: file, address: ":1" }\nlog: { level: warn }\nlimits: { max_tool_calls: 1 }',
    );
    write('.env', 'SERVER_NAME=dotenv\nSERVER_VERSION=dotenv\nSERVER_ADDRESS=:2\nCONFIG_FILE=c.yaml\n');
    const { config } = load(['--server-name', 'flag'], { SERVER_NAME: 'env', SERVER_VERSION: 'env' });
    expect(config.server).toMatchObject({ name: 'flag', version: 'env', address: ':2', transport: 'stdio' });
    expect(config.log.level).toBe('warn');
  });

  it('warns of a variable that sets nothing though it is named almost as one that does', () => {
    write('.env', 'LIMITS_MAX_TOOL_CALL=5\nSTORE_DIR=\n');
    const env = {
      LOG_LEVLE: 'debug',
      SERVER_SOFTWARE: 'apache',
      LANGUAGE: 'en',
      LOG_FILE: '',
      HOME: '/',
      LOGNAME: 'me',
    };
    expect(load([], env).warnings.filter((line) => /^(\.env|environment) /.test(line))).toEqual([
      '.env LIMITS_MAX_TOOL_CALL: sets nothing; did you mean LIMITS_MAX_TOOL_CALLS?',
      'environment LOG_LEVLE: sets nothing; did you mean LOG_LEVEL?',
    ]);
  });

  it.each([
    ['--server-name', 'SERVER_NAME', 'x', { server: { name: 'x' } }],
    ['--server-version', 'SERVER_VERSION', '1.10', { server: { version: '1.10' } }],
    ['--server-transport', 'SERVER_TRANSPORT', 'sse', { server: { transport: 'sse' } }],
    ['--server-address', 'SERVER_ADDRESS', '[::1]:9', { server: { address: '[::1]:9' } }],
    ['--reconnect-interval', 'RECONNECT_INTERVAL', '2.5', { connector: { reconnect_interval_s: 2.5 } }],
    ['--languages', 'LANGUAGES', 'lua, go', { languages: ['lua', 'go'] }],
    ['--log-level', 'LOG_LEVEL', 'debug', { log: { level: 'debug' } }],
  ])('is set by %s and %s', (flag, variable, text, expected) => {
    expect(load([flag, text]).config).toMatchObject(expected);
    expect(load([`${flag}=${text}`]).config).toMatchObject(expected);
    expect(load([], { [variable]: text }).config).toMatchObject(expected);
  });

  it('is set by any path in capitals, and an empty variable sets nothing', () => {
    const { config } = load([], {
      LIMITS_MAX_CPU_TIME_MS: '5',
      LIMITS_ALLOW_THREADS: 'true',
      LIMITS_PER_USER_EXECUTIONS_PER_DAY: '7',
      AUTH_JWT_SECRET: 's'.repeat(32),
      AUTH_ADMINS: 'ada,grace',
      STORE_ALLOW_DELETE: '',
      LOG_LEVEL: '',
    });
    expect(config.limits).toMatchObject({
      max_cpu_time_ms: 5,
      allow_threads: true,
      per_user: { executions_per_day: 7 },
    });
    expect(config.auth).toMatchObject({ jwt_secret: 's'.repeat(32), admins: ['ada', 'grace'], invalid_jwt: 'reject' });
    expect(config.store.allow_delete).toBe(false);
    expect(config.log.level).toBeUndefined();
  });

  it('keeps text as it is written, and takes an empty value for an absent one', () => {
    write(
      'c.yaml',
      'server: { version: 1.10 }\ndeploy:\nupstream:\n  - { name: a, alias:, transport: stdio, command: x, env: { N: 007, B: true } }',
    );
    const { config } = load(['--config', 'c.yaml']);
    expect(config.server.version).toBe('1.10');
    expect(config.deploy).toEqual(configSchema.parse({}).deploy);
    expect(config.upstream[0]).toMatchObject({ env: { N: '007', B: 'true' } });
    expect(config.upstream[0]).not.toHaveProperty('alias');
  });

  it('counts relative paths from the file, and those of flags from the working folder', () => {
    mkdirSync(join(cwd, 'sub'));
    write(
      'sub/c.yaml',
      'log: { file: a.log }\nstore: { dir: code }\nupstream:\n  - { name: a, transport: stdio, command: ./run.sh, working_dir: w }\n  - { name: b, transport: stdio, command: npx }',
    );
    const { config } = load(['--config', 'sub/c.yaml', '--code-store-dir', 'code']);
    expect(config.log.file).toBe(join(cwd, 'sub/a.log'));
    expect(config.store.dir).toBe(join(cwd, 'code'));
    expect(config.upstream).toMatchObject([
      { command: join(cwd, 'sub/run.sh'), working_dir: join(cwd, 'sub/w') },
      { command: 'npx', working_dir: join(cwd, 'sub') },
    ]);
  });

  it('comes from config.yaml when npm start finds one, else from the example, and a later --config wins', () => {
    expect(load(['--config-default']).file).toMatch(/config\.example\.yaml$/);
    write('config.yaml', 'server: { name: mine }');
    expect(load(['--config-default']).config.server.name).toBe('mine');
    write('other.yaml', 'server: { name: other }');
    expect(load(['--config-default', '--config', 'config.yaml', '--config', 'other.yaml']).config.server.name).toBe(
      'other',
    );
    expect(load(['--config-default'], { CONFIG_FILE: 'other.yaml' }).config.server.name).toBe('other');
  });

  it('leaves references as they are, and reads their variables from .env too', () => {
    write('.env', 'TOKEN=t');
    write(
      'c.yaml',
      'upstream:\n  - { name: a, transport: http, url: "https://${env:HOST}/mcp", headers: { A: "${env:TOKEN}" } }',
    );
    const { config, env } = load(['--config', 'c.yaml'], { HOST: 'h.example' });
    expect(config.upstream[0]).toMatchObject({ url: 'https://${env:HOST}/mcp', headers: { A: '${env:TOKEN}' } });
    expect(env).toMatchObject({ TOKEN: 't', HOST: 'h.example' });
  });

  it('warns of what is allowed but doubtful', () => {
    write(
      'c.yaml',
      'auth: { invalid_jwt: skip, jwt_secret: short }\nupstream:\n  - { name: a, alias: math, transport: stdio, command: x }',
    );
    expect(load(['--config', 'c.yaml']).warnings).toEqual([
      'c.yaml:1:9 auth.invalid_jwt: skip believes every token unverified: anyone can be any user; use reject',
      'c.yaml:1:28 auth.jwt_secret: is shorter than 32 bytes: it can be guessed from one token',
      'c.yaml:3:16 upstream[0].alias: "math" is also a library\'s name: in Go, import "math" gives the tools instead of the standard package; in Lua, the tools are merged into the math table and win over functions of the same name',
    ]);
    expect(load().warnings).toEqual([
      'configuration upstream: no server is named, so there is nothing to call; see config.example.yaml',
    ]);
  });

  it('warns of keys that others than their owner may come by', () => {
    const jwks = (url: string) => `auth: { jwks_url: ${url}, issuer: https://login.example }`;
    const secret = 'x'.repeat(32);
    const warned = (auth: string) => {
      write('c.yaml', `${auth}\nupstream: [{ name: a, transport: stdio, command: x }]`);
      return load(['--config', 'c.yaml']).warnings;
    };
    const plain =
      'c.yaml:1:9 auth.jwks_url: is plain http: whoever can change what it answers can be any user; use https';
    for (const host of ['login.example', '10.0.0.1', '127.0.0.1.example', 'localhost.example']) {
      expect(warned(jwks(`http://${host}/jwks`))).toEqual([plain]);
    }
    for (const base of ['https://login.example', 'http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:80']) {
      expect(warned(jwks(`"${base}/jwks"`))).toEqual([]);
    }
    const minted = (key: string) =>
      `auth: { jwt_secret: ${secret}, mint: { issuer: https://us.example, key: ${key} } }`;
    expect(warned(minted('y'.repeat(32)))).toEqual([]);
    expect(warned(minted(secret))).toEqual([
      'c.yaml:1:91 auth.mint.key: is the secret of users’ tokens: an upstream that checks minted ones can be any user here; give it a key of its own',
    ]);
  });

  it('warns of what will not do what it seems to', () => {
    write(
      'c.yaml',
      'upstream:\n  - { name: a, transport: stdio, command: x, headers: { A: b }, env: { T: "${TOKEN}", U: "$${KEPT}" } }\n  - { name: b, transport: http, url: "http://h/mcp", env: { T: x } }',
    );
    expect(load(['--config', 'c.yaml']).warnings).toEqual([
      'c.yaml:2:46 upstream[0].headers: is not used: the transport is stdio',
      'c.yaml:2:72 upstream[0].env.T: ${TOKEN} is taken as it stands; for an environment variable write ${env:TOKEN}',
      'c.yaml:3:54 upstream[1].env: is not used: the transport is http',
    ]);
  });

  it('takes an auth section with nothing under it for one, that the environment can fill', () => {
    write('c.yaml', 'auth:\nserver: { transport: http }');
    expect(() => load(['--config', 'c.yaml'])).toThrow('there is nothing to verify a token with');
    const filled = load(['--config', 'c.yaml'], { AUTH_JWT_SECRET: 's'.repeat(32) });
    expect(filled.config.auth).toMatchObject({ jwt_secret: 's'.repeat(32), invalid_jwt: 'reject' });
  });

  it('warns of what lets people in against what is meant, apart from the other warnings', () => {
    const auth = `auth: { jwt_secret: ${'x'.repeat(32)}, require: true }`;
    const require =
      'c.yaml:1:55 auth.require: does not hold over stdio, where nobody has a token: whoever starts this process is anonymous and let in; use server.transport http';
    write('c.yaml', auth);
    expect(load(['--config', 'c.yaml'])).toMatchObject({
      risks: [require],
      warnings: [expect.stringContaining('no server is named'), require],
    });
    for (const harmless of [`${auth}\nserver: { transport: http }`, auth.replace('true', 'false')]) {
      write('c.yaml', harmless);
      expect(load(['--config', 'c.yaml']).risks, harmless).toEqual([]);
    }
    write('c.yaml', 'auth: { jwt_secret: "${secret:jwt}", require: true }');
    const sources = { argv: ['--config', 'c.yaml'], env: {}, cwd };
    expect(loadConfig({ ...sources, target: 'aws' }).risks).toEqual([]);
    expect(loadConfig({ ...sources, target: 'local' }).risks).toHaveLength(1);
  });

  it('warns, also where the log is off, of a store that users share without its saying so', () => {
    const auth = `auth: { jwt_secret: ${'x'.repeat(32)} }\n`;
    const http = `server: { transport: http }\n${auth}`;
    const shared =
      'c.yaml:3:1 store.scope: is not written: it is shared, so any user can replace a kept script that others run by name; write user for records of their own, or shared if it is meant';
    write('c.yaml', `${http}store: { dir: kept }`);
    expect(load(['--config', 'c.yaml'])).toMatchObject({
      risks: [shared],
      warnings: [expect.stringContaining('no server is named'), shared],
    });
    expect(load(['--config', 'c.yaml'], { STORE_SCOPE: 'shared' }).risks).toEqual([]);
    const meant = [`${http}store: { dir: kept, scope: shared }`, `${http}store: { dir: kept, scope: user }`];
    for (const harmless of [...meant, http, 'store: { dir: kept }', `${auth}store: { dir: kept }`]) {
      write('c.yaml', harmless);
      expect(load(['--config', 'c.yaml']).risks, harmless).toEqual([]);
    }
  });

  it('writes groups by their name alone once they are checked', () => {
    write(
      'c.yaml',
      `auth: { jwt_secret: ${'x'.repeat(32)}, admins: ["group:team"] }\ngroups: { team: [ada] }\nupstream:\n  - { name: a, transport: stdio, command: x, users: [{ id: "group:team", expose: code }] }`,
    );
    const { config } = load(['--config', 'c.yaml']);
    expect(config.auth?.admins).toEqual(['team']);
    expect(config.upstream[0]?.users).toEqual([{ id: 'team', expose: 'code' }]);
  });

  it('cannot be led to a prototype', () => {
    write('c.yaml', 'groups: { __proto__: [ada] }');
    expect(() => load(['--config', 'c.yaml'])).toThrow('"__proto__" cannot be the name of a group');
    expect(({} as Record<string, unknown>)['ada']).toBeUndefined();
    write('c.yaml', 'groups: { constructor: [x] }');
    const { config } = load(['--config', 'c.yaml']);
    expect(config.groups).toEqual({ constructor: ['x'] });
    expect(Object.getPrototypeOf(config.groups)).toBe(Object.prototype);
  });
});

describe('a flag that asks', () => {
  const ask = (...argv: string[]) => answerFlag({ argv, env: {}, cwd });

  it('is answered instead of starting, and others are not', () => {
    expect(ask()).toBeUndefined();
    expect(ask('--version')).toEqual({ text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), exitCode: 0 });
    expect(ask('--help')?.text).toContain('--server-transport VALUE');
  });

  it('--check-config prints what would be exposed, secrets masked', () => {
    write(
      'c.yaml',
      [
        'server: { transport: http }',
        `auth: { jwt_secret: hunter2-${'x'.repeat(32)}, admins: [ada] }`,
        'groups: { team: [ada, grace] }',
        'store: { dir: kept, scope: shared }',
        'upstream:',
        '  - { name: weather-mcp, transport: http, url: "https://weather.example/mcp?key=hunter2", expose: code, headers: { Authorization: "Bearer hunter2" }, users: [{ id: team, expose: both }] }',
        '  - { name: files, alias: os, transport: stdio, command: npx, args: [-y, some-server, --token, hunter2], env: { TOKEN: hunter2 }, tool_expose: [{ name: rm, expose: none }] }',
      ].join('\n'),
    );
    const answer = ask('--check-config', '--config', 'c.yaml');
    expect(answer?.exitCode).toBe(0);
    expect(answer?.text).not.toContain('hunter2');
    expect(answer?.text.replaceAll(cwd, '/here').split('\n').slice(1)).toEqual([
      'configuration: /here/c.yaml',
      'server: mcp-code-mode 0.1.0, http on :8000',
      'auth: jwt_secret ***; an invalid token is rejected; no token: anonymous; 1 group; 1 admin',
      'languages: javascript, lua, go',
      'limits: 1000 ms CPU, 67108864 bytes, 1000 calls of 30000 ms',
      'store: /here/kept, shared by everybody who may run scripts',
      'servers: 2',
      '  weather_mcp (weather-mcp); http https://weather.example/mcp; expose code; 1 user right; Authorization: ***',
      '  os (files); stdio npx some-server; expose both; 1 tool rule (1 hidden); TOKEN: ***',
      'the configuration is good',
      '',
    ]);
  });

  it('--check-config fails with the problems', () => {
    write('c.yaml', 'servr: {}');
    expect(ask('--check-config', '--config', 'c.yaml')).toEqual({
      text: 'error: c.yaml:1:1 servr: unknown key; did you mean "server"?\n',
      exitCode: 1,
    });
  });
});
