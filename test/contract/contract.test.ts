import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configSchema } from '../../lib/config/schema.ts';
import { ERROR_CODES } from '../../lib/errors.ts';
import { OUTCOME_CODES } from '../../lib/sandbox/contract.ts';
import { createGateway } from '../../lib/server/http.ts';
import type { CodeStore } from '../../lib/store/contract.ts';
import { messages, modern, openSession, post } from '../support/mcp-requests.ts';
import { type StubOptions, stubServices } from '../support/stub-services.ts';

const golden = (name: string) => new URL(`../golden/contract/${name}`, import.meta.url).pathname;
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const servers = {
  os: {
    read_file: {
      definition: {
        title: 'Read a file',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], $defs: { x: {} } },
        outputSchema: { type: 'object', properties: { content: { type: 'string' } } },
        annotations: { readOnlyHint: true, novelHint: 1 },
        icons: [{ src: 'data:,' }],
        _meta: { 'example.com/note': 1 },
        novel: 'kept',
      },
      answer: () => ({ content: [] }),
    },
    hidden: { answer: () => ({ content: [] }) },
  },
};
const gatewayWith = (options: StubOptions = {}) =>
  createGateway(
    stubServices({ servers, exposure: (_server, name) => (name === 'hidden' ? 'code' : 'both'), ...options }),
  );
const stored = { config: { store: { allow_delete: true } }, overrides: { store: {} as CodeStore } };

describe('what clients can rely on', () => {
  it.each([
    ['tools.json', {}],
    ['tools-with-store.json', stored],
  ])('is the tool list of %s, in the legacy eras', async (file, options) => {
    const gateway = gatewayWith(options);
    const headers = await openSession(gateway);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const [answer] = await messages(await post(gateway, list, { headers }));
    await expect(pretty(answer!.result)).toMatchFileSnapshot(golden(file));
  });

  it('is the same list in the modern era, with how long it holds', async () => {
    const gateway = gatewayWith();
    const headers = await openSession(gateway);
    const [legacy] = await messages(await post(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers }));
    const [answer] = await messages(await modern(gateway, 'tools/list'));
    expect(answer!.result.tools).toEqual(legacy!.result.tools);
    const { tools: _, _meta: __, ...rest } = answer!.result;
    expect(rest).toEqual({ resultType: 'complete', ttlMs: 15_000, cacheScope: 'private' });
  });

  it('is what we say of ourselves', async () => {
    const [answer] = await messages(await modern(gatewayWith(), 'server/discover'));
    await expect(pretty(answer!.result)).toMatchFileSnapshot(golden('discover.json'));
  });

  it('is a tool list without output schemas of our own, and with short descriptions', async () => {
    const [answer] = await messages(await modern(gatewayWith(stored), 'tools/list'));
    const own = (answer!.result.tools as { name: string; description: string }[]).filter(
      ({ name }) => !name.includes('__'),
    );
    expect(own.length).toBe(8);
    for (const tool of own) {
      expect(tool).not.toHaveProperty('outputSchema');
      expect(tool.description.length).toBeLessThan(1000);
    }
  });

  it('is the list of error codes, the same for scripts and tools', async () => {
    await expect(pretty(ERROR_CODES)).toMatchFileSnapshot(golden('error-codes.json'));
    expect(OUTCOME_CODES).toEqual(ERROR_CODES);
  });

  it('is the configuration', async () => {
    await expect(pretty(z.toJSONSchema(configSchema, { io: 'input' }))).toMatchFileSnapshot(
      golden('configuration.json'),
    );
  });
});
