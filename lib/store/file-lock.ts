import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readlink, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a lock counts as abandoned where its holder cannot be asked; held for a few at most. */
const ABANDONED_MS = 10_000;

/** Milliseconds to wait for others before giving up; more than `ABANDONED_MS`. */
const WAIT_MS = 30_000;

/** Milliseconds between two looks, at most; chosen at random so that waiters do not march in step. */
const POLL_MS = 8;

/** Where process ids mean the same: the machine and, in containers, the process namespace. */
const home = `${hostname()}/${pidNamespace()}`;

/**
 * Runs `work` while no other holder of this path does, in this process or another. The lock is a symbolic link whose text
 * names its holder: made in one step, so a process killed at any moment leaves either no lock or one that says who died.
 * `mine` tells whether the lock is still held: to be asked before a change that cannot be taken back.
 */
export async function withLock<T>(path: string, work: (mine: () => Promise<boolean>) => Promise<T>): Promise<T> {
  const token = JSON.stringify({ home, pid: process.pid, id: randomUUID() });
  await acquire(path, token);
  const mine = async () => (await holderOf(path)) === token;
  try {
    return await work(mine);
  } finally {
    if (await mine()) await unlink(path);
  }
}

async function acquire(path: string, token: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      await symlink(token, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await holderOf(path);
    if (holder !== undefined && (await isAbandoned(path, holder))) await breakLock(path, holder);
    else if (Date.now() > deadline) throw new Error(`the lock ${path} has been held for too long`);
    else await sleep(1 + Math.random() * POLL_MS);
  }
}

/**
 * Removes a dead holder's lock. Two waiters may see the same dead holder: only one at a time may remove it, and only while
 * it is still the dead one's, else the second would remove the lock the first has just taken.
 */
async function breakLock(path: string, dead: string): Promise<void> {
  await withLock(`${path}.break`, async () => {
    if ((await holderOf(path)) === dead) await unlink(path);
  });
}

async function holderOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isAbandoned(path: string, holder: string): Promise<boolean> {
  const { home: itsHome, pid } = JSON.parse(holder) as { home: string; pid: number };
  if (itsHome === home && !isAlive(pid)) return true;
  try {
    return Date.now() - (await lstat(path)).mtimeMs > ABANDONED_MS;
  } catch {
    return false; // Released meanwhile.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
