import { describe, expect, it } from 'vitest';
import type { Caller } from '../../lib/access/caller.ts';
import { exposureFor, mayKnowOf } from '../../lib/access/rights.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { buildCatalogue } from '../../lib/registry/catalogue.ts';
import { viewCatalogue } from '../../lib/registry/view.ts';
import { createGateway } from '../../lib/server/http.ts';
import { messages, modern } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const onlyAnn = [{ name: 'pay', expose: 'none', users: [{ id: 'ann', expose: 'both' }] }];
const { upstream } = configSchema.parse({
  upstream: [
    { name: 'files', transport: 'stdio', command: 'x', tool_expose: [{ name: 'wipe', expose: 'none' }] },
    { name: 'payroll', transport: 'stdio', command: 'x', tool_expose: onlyAnn },
    { name: 'vault', transport: 'stdio', command: 'x', tool_expose: onlyAnn },
  ],
});
const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
const catalogue = buildCatalogue(upstream, [
  { server: 'files', state: 'connected', tools: [tool('read'), tool('wipe')], refreshedAt: 1 },
  { server: 'payroll', state: 'connected', tools: [tool('pay')], refreshedAt: 1 },
  { server: 'vault', state: 'failed', error: 'vault.internal does not answer', tools: [] },
]);
const entryOf = (server: string) => upstream.find(({ name }) => name === server)!;
const services = stubServices({
  overrides: {
    catalogue: async () => catalogue,
    view: (all, caller) =>
      viewCatalogue(
        all,
        (server, name) => exposureFor(entryOf(server), name, caller, {}),
        (server) => mayKnowOf(entryOf(server), caller, {}),
        '',
      ),
    exposure: (server, name, caller) => exposureFor(entryOf(server), name, caller, {}),
    upstream: () => undefined,
  },
});
const gateway = createGateway(services);

async function call(caller: Caller, name: string, args: object = {}) {
  const response = await modern((request) => gateway(request, caller), 'tools/call', { name, arguments: args });
  const { result, error } = (await messages(response)).at(-1)! as {
    result?: { content: { text: string }[] };
    error?: object;
  };
  return result?.content[0]?.text ?? JSON.stringify(error);
}
const listed = async (caller: Caller) => JSON.parse(await call(caller, 'list_servers')) as { name: string }[];

describe('list_servers', () => {
  it('names a server that was never listed only to those whom the configuration opens something on it', async () => {
    const namesFor = async (caller: Caller) => (await listed(caller)).map(({ name }) => name);
    expect(await namesFor({ admin: false })).toEqual(['files']);
    expect(await namesFor({ userId: 'eve', admin: false })).toEqual(['files']);
    expect(await namesFor({ userId: 'ann', admin: false })).toEqual(['files', 'payroll', 'vault']);
    for (const name of ['get_functions_description', 'search_functions', 'get_functions_raw', 'execute_code']) {
      expect(await call({ userId: 'eve', admin: false }, name, { query: 'vault', code: '' }), name).not.toMatch(
        /vault\W|payroll/,
      );
    }
  });

  it('tells an administrator of every server, its error and warnings, and opens no tool by it', async () => {
    const root = { userId: 'root', admin: true };
    expect(await listed(root)).toMatchObject([
      {
        name: 'files',
        tools: 1,
        toolNames: ['read'],
        warnings: ['1 of its 2 tools are closed to you, and not shown.'],
      },
      { name: 'payroll', state: 'connected', tools: 0, toolNames: [] },
      { name: 'vault', state: 'failed', error: 'vault.internal does not answer', warnings: [] },
    ]);
    expect(await call(root, 'payroll__pay')).toContain('Unknown tool: payroll__pay');
    expect(await call(root, 'get_functions_raw')).not.toContain('pay');
  });
});
