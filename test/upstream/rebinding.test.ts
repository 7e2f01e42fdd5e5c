import type { LookupAddress } from 'node:dns';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../lib/access/caller.ts';
import { connectTo } from '../support/upstreams/connect.ts';
import { manyTools } from '../support/upstreams/fake-server.ts';
import { startHttp } from '../support/upstreams/http-server.ts';

/** What the name `upstream.test` means, when asked whether it is private and when connecting. */
const meaning = vi.hoisted(() => ({ asked: '127.0.0.1', connecting: '127.0.0.1' }));

vi.mock('node:dns/promises', async (original) => ({
  ...(await original<object>()),
  lookup: async () => [{ address: meaning.asked, family: 4 }],
}));
vi.mock('node:dns', async (original) => ({
  ...(await original<object>()),
  lookup: (_: string, __: object, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(null, [{ address: meaning.connecting, family: 4 }]),
}));

const ada: Caller = { userId: 'ada', token: 'a.b.c', admin: false };
const call = { name: 'tool_0', arguments: {} };

describe('a name that plain http is spoken to', () => {
  it('carries identities where it means a private address', async () => {
    await using running = await startHttp({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'http', url: running.url.replace('127.0.0.1', 'upstream.test') });
    await upstream.callTool(call, { caller: ada });
    expect(running.seen.at(-1)?.headers.authorization).toBe('Bearer a.b.c');
  });

  it('that means a public address by the time of the connection gets nothing', async () => {
    meaning.connecting = '192.0.2.1';
    await using running = await startHttp({ tools: manyTools(1) });
    await using upstream = connectTo({ transport: 'http', url: running.url.replace('127.0.0.1', 'upstream.test') });
    await expect(upstream.callTool(call, { caller: ada })).rejects.toMatchObject({
      message:
        'Server "fake" is not available: identity is never sent over plain http outside private networks: use https.',
    });
    expect(running.seen).toEqual([]);
  });
});
