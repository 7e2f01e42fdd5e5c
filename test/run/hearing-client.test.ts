import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import { hearingClient } from '../../lib/run/hearing-client.ts';
import type { InboundClient } from '../../lib/upstream/contract.ts';
import { stubServices } from '../support/stub-services.ts';

/** The services, with a server that has declared this; nothing where it has not been listed yet. */
function declaring(capabilities: JsonObject | undefined) {
  const services = stubServices({ servers: { os: {} } });
  const { catalogue } = services;
  services.catalogue = async (caller) => {
    const whole = await catalogue(caller);
    return {
      ...whole,
      servers: whole.servers.map(({ capabilities: _, ...one }) => ({ ...one, ...(capabilities && { capabilities }) })),
    };
  };
  return services;
}

const session = { id: 'a', notify: () => {} };
const hears: InboundClient = { capabilities: {}, session, logLevel: 'info', onlyHears: true };
const as = (client: InboundClient | undefined, capabilities: JsonObject | undefined) =>
  hearingClient(declaring(capabilities), 'os', ANONYMOUS, client);

describe('a client that only wants to hear logs', () => {
  it('has a connection of its own to a server that logs, or may', async () => {
    expect(await as(hears, { tools: {}, logging: {} })).toBe(hears);
    expect(await as(hears, undefined)).toBe(hears);
  });

  it('has none to a server that does not, which still learns what it can be asked', async () => {
    expect(await as(hears, { tools: {} })).toBeUndefined();
    const capabilities = { sampling: {} };
    expect(await as({ ...hears, capabilities }, { tools: {} })).toEqual({ capabilities });
  });

  it('keeps its own everywhere where it is there for more', async () => {
    const { onlyHears: _, ...more } = hears;
    expect(await as(more, { tools: {} })).toBe(more);
    expect(await as({ ...hears, onlyHears: false }, { tools: {} })).toEqual({ ...hears, onlyHears: false });
    expect(await as(undefined, { tools: {} })).toBeUndefined();
  });
});
