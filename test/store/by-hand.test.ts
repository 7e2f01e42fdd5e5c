import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodeStore } from '../../lib/store/contract.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { fileOf, nameOfFile } from '../../lib/store/file-names.ts';
import { marked, NOW } from './marked.ts';

vi.setConfig({ testTimeout: 120_000 });

let dir: string;
let store: CodeStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'code-store-'));
  store = createDirectoryStore(dir);
});
afterEach(() => rm(dir, { recursive: true }));

const file = (name = 'stats') => join(dir, 'shared', fileOf(name));

async function write(text: string, name?: string): Promise<void> {
  await mkdir(join(dir, 'shared'), { recursive: true });
  await writeFile(file(name), text);
}

describe('a directory store that people edit', () => {
  it('keeps a record in one readable file', async () => {
    await store.save('shared', 'stats', { ...marked('one'), language: 'lua' }, NOW);
    await store.countRun('shared', 'stats');
    expect(await readFile(file(), 'utf8')).toBe(`---
description: d one
language: lua
entry: Eone
version: 1
createdAt: 2026-11-30T12:00:00.000Z
updatedAt: 2026-11-30T12:00:00.000Z
savedBy: u one
updatedBy: u one
instructions: |
  i one
---
return "one"`);
  });

  it('picks up an edit at once, and a save keeps what it does not name', async () => {
    const before = await store.save('shared', 'stats', marked('one'), NOW);
    await write((await readFile(file(), 'utf8')).replace('return "one"', 'return "by hand"'));
    const edited = await store.get('shared', 'stats');
    expect(edited).toMatchObject({ code: 'return "by hand"', description: 'd one' });
    expect(edited?.revision).not.toBe(before.revision);
    await store.markInvalid('shared', 'stats', 'gone', before.revision);
    expect(await store.get('shared', 'stats')).not.toHaveProperty('invalid');
    await store.save('shared', 'stats', { description: 'words' }, NOW);
    expect(await store.get('shared', 'stats')).toMatchObject({ code: 'return "by hand"', description: 'words' });
    expect(await store.get('shared', 'stats', '1')).toMatchObject({ code: 'return "by hand"', description: 'd one' });
  });

  it('picks up a file put there, with a head or without', async () => {
    await write('return 1\n', 'bare');
    await write('---\ndescription: adds\nlanguage: lua\n---\nreturn 2\n', 'headed');
    expect(await store.get('shared', 'bare')).toMatchObject({ language: 'javascript', code: 'return 1\n', runs: 0 });
    expect(await store.get('shared', 'headed')).toMatchObject({
      language: 'lua',
      description: 'adds',
      code: 'return 2\n',
    });
    expect((await store.list('shared')).map(({ name }) => name).sort()).toEqual(['bare', 'headed']);
    expect(Date.parse((await store.get('shared', 'bare'))!.updatedAt)).toBeGreaterThan(NOW - 1e11);
    await store.countRun('shared', 'bare');
    expect(await store.get('shared', 'bare')).toMatchObject({ runs: 1 });
    expect(await readFile(file('bare'), 'utf8')).toBe('return 1\n');
  });

  it('forgets a file that was removed', async () => {
    for (const mark of ['one', 'two']) await store.save('shared', 'stats', marked(mark), NOW);
    await store.countRun('shared', 'stats');
    await rm(file());
    expect(await store.get('shared', 'stats')).toBeUndefined();
    expect(await store.versions('shared', 'stats')).toEqual([]);
    expect(await store.list('shared')).toEqual([]);
    expect(await store.save('shared', 'stats', marked('three'), NOW)).toMatchObject({ runs: 0 });
    expect(await store.versions('shared', 'stats')).toEqual([]);
  });

  it('keeps every version where an edit has changed the number of one', async () => {
    for (const mark of ['one', 'two', 'three']) await store.save('shared', 'stats', marked(mark), NOW);
    await write((await readFile(file(), 'utf8')).replace('version: 3', 'version: 1'));
    expect(await store.versions('shared', 'stats')).toEqual([]);
    await store.save('shared', 'stats', marked('four'), NOW);
    const versions = await store.versions('shared', 'stats');
    const texts = await Promise.all(versions.map(({ version }) => store.get('shared', 'stats', version)));
    expect(texts.map((record) => record?.description)).toEqual(['d one', 'd two', 'd three']);
  });

  it('shows a file that an edit has broken with what to mend, harms no other, and does not write over it', async () => {
    await store.save('shared', 'good', marked('good'), NOW);
    const broken = '---\nlanguage: cobol\n---\nreturn 1';
    await write(broken);
    const error = {
      code: 'not_runnable',
      message: expect.stringMatching(/^The stored file shared\/stats\.code cannot be read, .*language/s),
    };
    await expect(store.get('shared', 'stats')).rejects.toMatchObject(error);
    await expect(store.save('shared', 'stats', { description: 'x' }, NOW)).rejects.toMatchObject(error);
    const shown = (await store.list('shared')).find(({ name }) => name === 'stats');
    expect(shown).toMatchObject({ hasCode: false, invalid: expect.stringContaining('Mend the file, or delete it.') });
    expect(await store.list('shared')).toHaveLength(2);
    expect(await readFile(file(), 'utf8')).toBe(broken);
    expect(shown?.invalid).not.toContain(dir);
    await write('x'.repeat(1024 * 1024 + 1));
    await expect(store.get('shared', 'stats')).rejects.toMatchObject({
      message: expect.stringContaining('1048576 bytes'),
    });
    expect(await store.delete('shared', 'stats')).toBe(true);
    expect(await store.list('shared')).toHaveLength(1);
  });

  it('takes no other file for a record', async () => {
    await store.save('shared', 'stats', marked('one'), NOW);
    for (const name of [
      'README.md',
      'stats.code~',
      'stats.code.swp',
      '.stats.code',
      'Stats.code',
      'stats~1.code',
      'a b.code',
      '.code',
    ]) {
      await writeFile(join(dir, 'shared', name), 'x');
    }
    await mkdir(join(dir, 'shared', 'folder'));
    expect((await store.list('shared')).map(({ name }) => name)).toEqual(['stats']);
  });

  it('leaves nothing of a deleted record', async () => {
    for (const mark of ['one', 'two']) await store.save('shared', 'Stats', marked(mark), NOW);
    await store.countRun('shared', 'Stats');
    await store.delete('shared', 'Stats');
    const rest = await readdir(dir, { recursive: true, withFileTypes: true });
    expect(rest.filter((entry) => !entry.isDirectory())).toEqual([]);
  });

  it('tells a directory that cannot be written to', async () => {
    await writeFile(join(dir, 'shared'), 'a file');
    await expect(store.save('shared', 'stats', marked('one'), NOW)).rejects.toThrow();
    expect(existsSync(join(dir, 'shared', 'stats.code'))).toBe(false);
  });
});

describe('file names', () => {
  it('differ where names differ, capitals apart', () => {
    const names = ['stats', 'Stats', 'sTats', 'STATS', 'Z'.repeat(64), `${'z'.repeat(63)}Z`, 'a-b', 'a_b', '0'];
    expect(new Set(names.map((name) => fileOf(name).toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(nameOfFile(fileOf(name))).toBe(name);
    expect(fileOf('stats')).toBe('stats.code');
    expect(fileOf('readStats')).toBe('readStats~10.code');
  });
});
