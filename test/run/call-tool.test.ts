import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import { callTool, type ToolCall } from '../../lib/run/call-tool.ts';
import type { ToolExposure } from '../../lib/tool.ts';
import { createMemoryLedger } from '../../lib/usage/memory.ts';
import { type StubTool, stubServices } from '../support/stub-services.ts';

/** What happened at the door, in order. */
function door(options: { exposure?: ToolExposure; quota?: boolean; answer?: StubTool } = {}) {
  const events: string[] = [];
  const lines: string[] = [];
  const definition = { inputSchema: { type: 'object', required: ['path'] } };
  const answer: StubTool = options.answer ?? (() => ({ content: [{ type: 'text', text: 'ok' }] }));
  const seen: StubTool = (args, given) => {
    events.push('upstream');
    return answer(args, given);
  };
  const services = stubServices({
    servers: { os: { read: { definition, answer: seen } } },
    exposure: () => {
      events.push('right');
      return options.exposure ?? 'both';
    },
    overrides: {
      usage: {
        consume: async () => {
          events.push('budget');
          return options.quota ? { limit: 'tool_calls_per_day', allowed: 5, resetsAt: 0 } : undefined;
        },
      },
      log: (level, msg, fields) => void lines.push(`${level} ${msg} ${JSON.stringify(fields)}`),
    },
  });
  return { services, events, lines };
}

async function call(made: ReturnType<typeof door>, rest: Partial<ToolCall> = {}) {
  const catalogue = await made.services.catalogue(ANONYMOUS);
  made.events.length = 0;
  const signal = new AbortController().signal;
  const tool = catalogue.servers[0]!.tools[0]!;
  return callTool(made.services, { tool, arguments: { path: '/' }, caller: ANONYMOUS, via: 'code', signal, ...rest });
}

describe('the door to tools', () => {
  it('asks for the right, then the budget, then the upstream', async () => {
    const made = door();
    await call(made);
    expect(made.events).toEqual(['right', 'budget', 'upstream']);
  });

  it.each([
    ['code', 'proxy'],
    ['code', 'none'],
    ['proxy', 'code'],
    ['proxy', 'none'],
  ] as const)('is closed to %s where the tool is open to %s only', async (via, exposure) => {
    const made = door({ exposure });
    await expect(call(made, { via })).rejects.toMatchObject({ code: 'forbidden' });
    expect(made.events).toEqual(['right']);
  });

  it('is closed when the run has no calls left, and when the user has none', async () => {
    const spent = door();
    const budget = { allowed: 2, used: 2 };
    await expect(call(spent, { budget })).rejects.toMatchObject({ code: 'tool_calls_exceeded' });
    expect(spent.events).not.toContain('upstream');
    await expect(call(door({ quota: true }))).rejects.toMatchObject({ code: 'quota_exceeded' });
  });

  it.each(['code', 'proxy'] as const)(
    'says which limit of the user is used up and when it opens again, %s',
    async (via) => {
      const made = door();
      const limits = { ...made.services.config.limits.per_user, tool_calls_per_minute: 1 };
      const services = {
        ...made.services,
        usage: createMemoryLedger(limits),
        now: () => Date.UTC(2030, 0, 1, 12, 0, 59),
      };
      await call({ ...made, services }, { via });
      await expect(call({ ...made, services }, { via })).rejects.toMatchObject({
        code: 'quota_exceeded',
        message: 'your limit tool_calls_per_minute (1) is used up; it opens again at 2030-01-01T12:01:00.000Z',
      });
      expect(made.events).not.toContain('upstream');
      await call({ ...made, services: { ...services, now: () => Date.UTC(2030, 0, 1, 12, 1) } }, { via });
      expect(made.events).toContain('upstream');
    },
  );

  it("checks a script's arguments, and leaves a direct call's to the upstream", async () => {
    const script = door();
    await expect(call(script, { arguments: {} })).rejects.toMatchObject({ code: 'invalid_arguments' });
    expect(script.events).not.toContain('upstream');
    const direct = door();
    await call(direct, { arguments: {}, via: 'proxy' });
    expect(direct.events).toContain('upstream');
  });

  it('gives a failed result as it came, and a broken connection as an error that names the tool', async () => {
    const failed = { content: [{ type: 'text', text: 'no' }], isError: true, extra: 1 };
    expect(await call(door({ answer: () => failed }))).toBe(failed);
    const broken = door({ answer: () => Promise.reject(new Error('boom')) });
    await expect(call(broken)).rejects.toMatchObject({ code: 'tool_failed', message: 'os.read: boom' });
  });

  it('calls a call that was given up cancelled', async () => {
    const abort = new AbortController();
    const made = door({
      answer: () => {
        abort.abort();
        return Promise.reject(new Error('aborted'));
      },
    });
    await expect(call(made, { signal: abort.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('logs name, server, outcome and time, and never arguments or results', async () => {
    const secret = { path: 'SECRET-ARGUMENT' } as JsonObject;
    const made = door({ answer: () => ({ content: [{ type: 'text', text: 'SECRET-RESULT' }] }) });
    await call(made, { arguments: secret });
    await call(made, { arguments: secret, via: 'proxy' });
    await call(door({ exposure: 'none' })).catch(() => {});
    expect(made.lines.map((line) => line.split(' {')[0])).toEqual(['debug host call', 'info proxy call']);
    expect(made.lines.join()).not.toContain('SECRET');
  });
});
