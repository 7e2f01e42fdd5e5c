import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../lib/usage/memory.ts';
import { usageLedgerContract } from './contract.ts';

usageLedgerContract('the memory ledger', createMemoryLedger);

it('holds ten thousand users and forgets a window when it has passed', async () => {
  const ledger = createMemoryLedger({
    executions_per_minute: 1,
    executions_per_day: 0,
    tool_calls_per_minute: 0,
    tool_calls_per_day: 0,
  });
  for (const minute of [0, 1]) {
    for (let user = 0; user < 10_000; user += 1) {
      expect(await ledger.consume(`user-${user}`, 'execution', minute * 60_000)).toBeUndefined();
    }
  }
  expect(await ledger.consume('user-9', 'execution', 119_999)).toBeDefined();
  expect(await ledger.consume('user-9', 'execution', 120_000)).toBeUndefined();
});
