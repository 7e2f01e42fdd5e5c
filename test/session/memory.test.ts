import { describe, expect, it } from 'vitest';
import { createMemorySessions } from '../../lib/session/memory.ts';

const MAX_SESSIONS = 10_000;
const session = (id: string, userId?: string, expiresAt = 10) => ({
  id,
  ...(userId !== undefined && { userId }),
  protocolVersion: '2025-11-25',
  capabilities: {},
  createdAt: 0,
  expiresAt,
});

describe('sessions in memory', () => {
  it('of everybody else survive one caller who opens ever more', async () => {
    for (const flood of [undefined, 'eve', '__proto__']) {
      const sessions = createMemorySessions();
      const others = [undefined, 'ann', 'bob', 'constructor'].filter((user) => user !== flood);
      for (const user of others) await sessions.create(session(`of ${user}`, user));
      for (let i = 0; i < MAX_SESSIONS + 50; i++) await sessions.create(session(`flood ${i}`, flood));
      for (const user of others) expect(await sessions.get(`of ${user}`, 0)).toMatchObject({ id: `of ${user}` });
      expect(await sessions.get('flood 0', 0)).toBeUndefined();
      expect(await sessions.get(`flood ${50 + others.length}`, 0)).toBeDefined();
      expect(await sessions.get(`flood ${49 + others.length}`, 0)).toBeUndefined();
    }
  });

  it('that ended do not count, whether deleted or expired', async () => {
    const sessions = createMemorySessions();
    await sessions.create(session('kept', 'ann'));
    for (let i = 0; i < MAX_SESSIONS; i++) {
      await sessions.create(session(`${i}`, 'ann', 5));
      if (i % 2) expect(await sessions.delete(`${i}`)).toBe(true);
      else expect(await sessions.get(`${i}`, 5)).toBeUndefined();
      expect(await sessions.delete(`${i}`)).toBe(false);
    }
    expect(await sessions.get('kept', 5)).toBeDefined();
  });

  it('of 10,000 users are kept, one each', async () => {
    const sessions = createMemorySessions();
    for (let i = 0; i < MAX_SESSIONS; i++) await sessions.create(session(`${i}`, `user-${i}`));
    for (let i = 0; i < MAX_SESSIONS; i += 999) expect(await sessions.get(`${i}`, 0)).toBeDefined();
  });
});
