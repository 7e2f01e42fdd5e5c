import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { upstreamPackages } from '../../infra/upstream-packages.ts';
import { npxPackage } from '../../lib/config/npx-package.ts';
import { configSchema } from '../../lib/config/schema.ts';

const INSTALL_MS = 120_000;

const config = configSchema.parse({
  upstream: [
    {
      name: 'memory',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-memory@2026.8.31', '--flag'],
      env: { A: 'b' },
    },
    { name: 'far', transport: 'http', url: 'https://example.com/mcp' },
  ],
});

describe('servers that npx would start', () => {
  it(
    'are installed for the functions, and then answer when started as the configuration says',
    () => {
      process.env['npm_config_prefer_offline'] = 'true';
      const { folder = '', upstream } = upstreamPackages(config, true);
      expect(upstream[1]).toBe(config.upstream[1]);
      const [memory] = upstream;
      expect(memory).toMatchObject({
        command: 'node',
        args: [
          '/opt/upstreams/@modelcontextprotocol+server-memory@2026.8.31/node_modules/@modelcontextprotocol/server-memory/dist/index.js',
          '--flag',
        ],
        env: { HOME: '/tmp', A: 'b' },
        working_dir: '/tmp',
      });
      const script = (memory?.args[0] ?? '').replace('/opt', folder);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
      const { stdout } = spawnSync(process.execPath, [script], { input, encoding: 'utf8' });
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'memory-server' } } });
    },
    INSTALL_MS,
  );

  it('are only named where nothing may be fetched', () => {
    const { folder, upstream } = upstreamPackages(config, false);
    expect(folder).toBeDefined();
    expect(upstream[0]?.args[0]).toMatch(/^\/opt\/upstreams\/.*not-installed$/);
    expect(upstreamPackages(configSchema.parse({}), true)).toEqual({ upstream: [] });
  });

  it.each([
    [['-y', 'server@1.2.3', 'a'], { name: 'server', version: '1.2.3', args: ['a'] }],
    [['--yes', '@scope/server@1.2.3-beta.1'], { name: '@scope/server', version: '1.2.3-beta.1', args: [] }],
  ])('are read from %j', (args, expected) => {
    expect(npxPackage(args)).toEqual(expected);
  });

  it.each([
    [['server'], '"server" must be pinned to a version on AWS, e.g. server@1.2.3'],
    [['server@^1.2.3'], '"server@^1.2.3" must be pinned to a version on AWS, e.g. server@1.2.3'],
    [['@scope/server'], '"@scope/server" must be pinned to a version on AWS, e.g. @scope/server@1.2.3'],
    [['git+ssh://host/x.git'], '"git+ssh://host/x.git" must be pinned'],
    [['../../x@1.2.3'], '"../../x@1.2.3" must be pinned'],
    [['-p', 'x@1.0.0', 'y'], '-p cannot be used on AWS'],
    [['-y'], 'must name the package that npx is to run'],
  ])('are refused from %j', (args, problem) => {
    expect(npxPackage(args)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
