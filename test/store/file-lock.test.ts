import { existsSync } from 'node:fs';
import { lutimes, mkdtemp, readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from '../../lib/store/file-lock.ts';
import { runChild } from './run-child.ts';

vi.setConfig({ testTimeout: 120_000 });

let dir: string;
let lock: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'));
  lock = join(dir, 'lock');
});
afterEach(() => rm(dir, { recursive: true }));

/** Runs many holders at once; tells how many there were at most, and how many worked. */
async function crowd(count: number): Promise<{ most: number; done: number }> {
  let inside = 0;
  let most = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: count }, () =>
      withLock(lock, async (mine) => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(1);
        expect(await mine()).toBe(true);
        inside -= 1;
        done += 1;
      }),
    ),
  );
  return { most, done };
}

describe('withLock', () => {
  it('lets one in at a time and leaves nothing behind', async () => {
    expect(await crowd(40)).toEqual({ most: 1, done: 40 });
    expect(await readdir(dir)).toEqual([]);
  });

  it('gives back what the work gives, and is free again after a failure', async () => {
    expect(await withLock(lock, async () => 5)).toBe(5);
    await expect(withLock(lock, () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over from a process that was killed, one waiter at a time', async () => {
    await runChild('lock-child.ts', [lock], (_, kill) => kill());
    expect(existsSync(dir) && (await readlink(lock))).toContain('pid');
    expect(await crowd(20)).toEqual({ most: 1, done: 20 });
    expect(await readdir(dir)).toEqual([]);
  });

  it('takes over where the process that was taking over was killed too', async () => {
    await runChild('lock-child.ts', [lock], (_, kill) => kill());
    await runChild('lock-child.ts', [`${lock}.break`], (_, kill) => kill());
    await runChild('lock-child.ts', [`${lock}.break.break`], (_, kill) => kill());
    expect(await crowd(20)).toEqual({ most: 1, done: 20 });
    expect(await readdir(dir)).toEqual([]);
  });

  it('takes over a holder elsewhere only when it has been there too long', async () => {
    const elsewhere = JSON.stringify({ home: 'another machine', pid: 1, id: 'x' });
    await symlink(elsewhere, lock);
    let entered = false;
    const waiting = withLock(lock, async () => {
      entered = true;
    });
    await sleep(100);
    expect(entered).toBe(false);
    await lutimes(lock, new Date(Date.now() - 11_000), new Date(Date.now() - 11_000));
    await waiting;
    expect(entered).toBe(true);
  });

  it('tells a holder that its lock was taken over, and it leaves the new one alone', async () => {
    await withLock(lock, async (mine) => {
      await unlink(lock);
      await symlink('someone', lock);
      expect(await mine()).toBe(false);
    });
    expect(await readlink(lock)).toBe('someone');
    await unlink(lock);
  });
});
