import { describe, expect, it } from 'vitest';
import type { Config } from '../../lib/config/schema.ts';
import type { UsageLedger } from '../../lib/usage/contract.ts';

const START = Date.UTC(2026, 10, 30, 23, 58, 30);
const MINUTE = 60_000;
const DAY = Date.UTC(2026, 11, 1);
const off = { executions_per_minute: 0, executions_per_day: 0, tool_calls_per_minute: 0, tool_calls_per_day: 0 };

/** What every `UsageLedger` holds to; `create` gives an empty one. */
export function usageLedgerContract(
  name: string,
  create: (limits: Config['limits']['per_user']) => UsageLedger | Promise<UsageLedger>,
): void {
  describe(name, () => {
    it('counts nothing where every limit is 0', async () => {
      const ledger = await create(off);
      for (let turn = 0; turn < 50; turn += 1) {
        expect(await ledger.consume('ann', 'execution', START)).toBeUndefined();
        expect(await ledger.consume(undefined, 'tool_call', START)).toBeUndefined();
      }
    });

    it('says which limit is used up and when it opens again', async () => {
      const ledger = await create({ ...off, executions_per_minute: 2 });
      expect(await ledger.consume('ann', 'execution', START)).toBeUndefined();
      expect(await ledger.consume('ann', 'execution', START + 1)).toBeUndefined();
      expect(await ledger.consume('ann', 'execution', START + 2)).toEqual({
        limit: 'executions_per_minute',
        allowed: 2,
        resetsAt: Date.UTC(2026, 10, 30, 23, 59),
      });
      expect(await ledger.consume('ann', 'execution', Date.UTC(2026, 10, 30, 23, 59) - 1)).toBeDefined();
      expect(await ledger.consume('ann', 'execution', Date.UTC(2026, 10, 30, 23, 59))).toBeUndefined();
    });

    it('takes from every limit of a kind or from none', async () => {
      const ledger = await create({ ...off, executions_per_minute: 1, executions_per_day: 2 });
      expect(await ledger.consume('ann', 'execution', START)).toBeUndefined();
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await ledger.consume('ann', 'execution', START)).toMatchObject({ limit: 'executions_per_minute' });
      }
      expect(await ledger.consume('ann', 'execution', START + MINUTE)).toBeUndefined();
      expect(await ledger.consume('ann', 'execution', DAY - 1)).toMatchObject({
        limit: expect.stringMatching(/executions_per_/),
      });
      expect(await ledger.consume('bob', 'execution', DAY - 2 * MINUTE)).toBeUndefined();
      expect(await ledger.consume('ann', 'execution', DAY)).toBeUndefined();
    });

    it('names the day when the day is used up', async () => {
      const ledger = await create({ ...off, executions_per_minute: 5, executions_per_day: 1 });
      expect(await ledger.consume('ann', 'execution', START)).toBeUndefined();
      const full = { limit: 'executions_per_day', allowed: 1, resetsAt: DAY };
      expect(await ledger.consume('ann', 'execution', START)).toEqual(full);
      expect(await ledger.consume('ann', 'execution', START + MINUTE)).toEqual(full);
    });

    it('counts tool calls by the minute and by the day, and names the one that is used up', async () => {
      const ledger = await create({ ...off, tool_calls_per_minute: 2, tool_calls_per_day: 3 });
      const at = (time: number) => ledger.consume('ann', 'tool_call', time);
      const minuteFull = { limit: 'tool_calls_per_minute', allowed: 2, resetsAt: Date.UTC(2026, 10, 30, 23, 59) };
      expect([await at(START), await at(START)]).toEqual([undefined, undefined]);
      expect([await at(START), await at(START)]).toEqual([minuteFull, minuteFull]);
      expect(await at(START + MINUTE)).toBeUndefined();
      expect(await at(START + MINUTE)).toEqual({ limit: 'tool_calls_per_day', allowed: 3, resetsAt: DAY });
      expect([await at(DAY), await at(DAY)]).toEqual([undefined, undefined]);
      expect(await at(DAY)).toMatchObject({ limit: 'tool_calls_per_minute', resetsAt: DAY + MINUTE });
    });

    it('counts kinds and users apart, and all anonymous callers as one user', async () => {
      const ledger = await create({ ...off, executions_per_minute: 1, executions_per_day: 1, tool_calls_per_day: 1 });
      for (const user of ['ann', 'bob', '__proto__', 'constructor', 'undefined', 'anonymous', '', 'a#b', undefined]) {
        for (const kind of ['execution', 'tool_call'] as const) {
          expect(await ledger.consume(user, kind, START), `${user} ${kind}`).toBeUndefined();
          expect(await ledger.consume(user, kind, START), `${user} ${kind}`).toBeDefined();
        }
      }
    });

    it('gives exactly as many as allowed to calls at once', async () => {
      for (const limit of ['tool_calls_per_minute', 'tool_calls_per_day'] as const) {
        const ledger = await create({ ...off, [limit]: 7 });
        const answers = await Promise.all(Array.from({ length: 40 }, () => ledger.consume('ann', 'tool_call', START)));
        expect(
          answers.filter((answer) => answer === undefined),
          limit,
        ).toHaveLength(7);
      }
    });
  });
}
