import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodeStore } from '../../lib/store/contract.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { markOf } from './contract.ts';
import { marked, NOW } from './marked.ts';
import { runChild } from './run-child.ts';

vi.setConfig({ testTimeout: 120_000 });

let dir: string;
let store: CodeStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'code-store-'));
  store = createDirectoryStore(dir);
});
afterEach(() => rm(dir, { recursive: true }));

/** The marks of all versions of the record, the present one last; fails where one is mixed. */
async function marks(store: CodeStore): Promise<string[]> {
  const versions = await store.versions('shared', 'stats');
  const earlier = await Promise.all(versions.map(({ version }) => store.get('shared', 'stats', version)));
  const present = await store.get('shared', 'stats');
  return [...earlier, ...(present ? [present] : [])].map(markOf);
}

const child = (...args: string[]) => runChild('directory-child.ts', [dir, ...args]);

describe('the directory store, used by several processes', () => {
  it('keeps every save and every run of three processes that save at once', async () => {
    const ended = await Promise.all(['a', 'b', 'c'].map((mark) => child(mark, '12')));
    const saved = ended.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('operations')));
    expect(saved).toHaveLength(36);
    expect((await marks(store)).toSorted()).toEqual(saved.toSorted());
    expect(await store.get('shared', 'stats')).toMatchObject({ runs: 36 });
  });

  it('holds the old record or the new one, whole, wherever in a save its process is killed; the next save goes through', async () => {
    const all = await child('count', '2');
    const operations = Number(all.lines.at(-1)?.split(' ')[1]);
    expect(operations).toBeGreaterThan(20);
    const places = Array.from({ length: operations }, (_, index) => index + 1);
    const killAt = async (at: number) => {
      const own = join(dir, `${at}`);
      const place = createDirectoryStore(own);
      const { signal, lines } = await runChild('directory-child.ts', [own, 'x', '2', `${at}`]);
      expect(signal).toBe('SIGKILL');
      const present = await place.get('shared', 'stats');
      const state = present && markOf(present);
      const next = lines.length === 0 ? 'x0' : 'x1';
      expect([lines.at(-1), next], `killed before operation ${at}`).toContain(state);
      await place.save('shared', 'stats', marked('after'), NOW);
      const kept = await marks(place);
      expect(kept.at(-1)).toBe('after');
      for (const mark of state === undefined ? lines : [...lines, state])
        expect(kept, `killed at ${at}`).toContain(mark);
      expect((await place.list('shared')).map((summary) => summary.name)).toEqual(['stats']);
      expect(readdirSync(join(own, 'shared', '.locks'))).toEqual([]);
      expect(readdirSync(join(own, 'shared')).filter((name) => !name.startsWith('.'))).toEqual(['stats.code']);
    };
    while (places.length > 0) await Promise.all(places.splice(0, 3).map(killAt));
  });

  it('loses nothing that was answered when processes are killed at any time among others', async () => {
    const victims = ['k', 'l', 'm', 'n'].map((mark, index) =>
      runChild('directory-child.ts', [dir, mark, '1000'], (line, kill) => {
        if (line === `${mark}${2 + index * 3}`) kill();
      }),
    );
    const [survivor, ...killed] = await Promise.all([child('s', '20'), ...victims]);
    expect(killed.map(({ signal }) => signal)).toEqual(Array(4).fill('SIGKILL'));
    const kept = await marks(store);
    for (const line of [survivor!, ...killed].flatMap(({ lines }) => lines)) {
      if (!line.startsWith('operations')) expect(kept).toContain(line);
    }
    expect(await store.save('shared', 'stats', marked('end'), NOW)).toMatchObject({ description: 'd end' });
  });
});
