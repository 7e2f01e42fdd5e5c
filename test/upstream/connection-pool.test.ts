import { describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../lib/upstream/connection.ts';
import { createConnectionPool } from '../../lib/upstream/connection-pool.ts';

/** Opens connections that only count their end. */
function opener() {
  const closed: string[] = [];
  let number = 0;
  const open = (key: string) => async () => {
    const name = `${key}#${++number}`;
    return { close: async () => void closed.push(name) } as unknown as Connection;
  };
  return { open, closed };
}

describe('the connections of an upstream', () => {
  it('are lent again while they live, one a key', async () => {
    const { open } = opener();
    const pool = createConnectionPool(64);
    const first = pool.lend('a', open('a'));
    const second = pool.lend('a', open('a'));
    expect([first.reused, second.reused]).toEqual([false, true]);
    expect(await second.connection).toBe(await first.connection);
    expect(await pool.lend('b', open('b')).connection).not.toBe(await first.connection);
    await pool.close();
  });

  it('that nobody uses are closed above the most, the longest unused first, and never one in use', async () => {
    let time = 0;
    const { open, closed } = opener();
    const pool = createConnectionPool(64, () => time++);
    const busy = pool.lend('busy', open('busy'));
    await busy.connection;
    for (let i = 0; i < 66; i++) {
      const lease = pool.lend(`k${i}`, open(`k${i}`));
      await lease.connection;
      lease.release();
    }
    await vi.waitFor(() => expect(closed).toEqual(['k0#2', 'k1#3', 'k2#4']));
    await pool.close();
    expect(closed).toHaveLength(67);
  });

  it('of a person are closed after five idle minutes, of a client session after thirty, the shared one never', async () => {
    vi.useFakeTimers();
    const { open, closed } = opener();
    const pool = createConnectionPool(64);
    for (const key of ['', 'ada', 'ada|session']) {
      const lease = pool.lend(key, open(key));
      await lease.connection;
      lease.release();
    }
    await vi.advanceTimersByTimeAsync(7 * 60_000);
    expect(closed).toEqual(['ada#2']);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(closed).toEqual(['ada#2', 'ada|session#3']);
    vi.useRealTimers();
    await pool.close();
  });

  it('that were given up close when the last request is done', async () => {
    const { open, closed } = opener();
    const pool = createConnectionPool(64);
    const first = pool.lend('a', open('a'));
    const second = pool.lend('a', open('a'));
    await first.connection;
    first.discard();
    first.release();
    expect(pool.lend('a', open('a')).reused).toBe(false);
    expect(closed).toEqual([]);
    second.release();
    await vi.waitFor(() => expect(closed).toEqual(['a#1']));
    await pool.close();
  });

  it('that could not be opened are tried again by the next request', async () => {
    const pool = createConnectionPool(64);
    const failing = pool.lend('a', async () => {
      throw new Error('no');
    });
    await expect(failing.connection).rejects.toThrow('no');
    expect(pool.lend('a', opener().open('a')).reused).toBe(false);
    await pool.close();
  });
});
