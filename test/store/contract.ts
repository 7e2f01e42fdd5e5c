import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SEARCHED_CHARS, type StoreBounds } from '../../lib/store/code-limits.ts';
import type { CodeChange, CodeStore } from '../../lib/store/contract.ts';
import { marked, NOW } from './marked.ts';

const at = (offset: number) => new Date(NOW + offset).toISOString();

/** Opens one store twice, as two processes would: new and empty, each time it is called. */
export type OpenStore = (bounds?: StoreBounds) => Promise<[CodeStore, CodeStore]>;

const code = 'function Run(p) {\n  return os.stat({ path: p.path }).size; // ж\n}';

/** Fails where a record's texts carry different marks; tells the mark. */
export function markOf(record: CodeChange | undefined): string {
  const mark = record?.description?.slice(2) ?? '';
  const { user: _, ...texts } = marked(mark);
  expect(record).toMatchObject(texts);
  return mark;
}

/** Milliseconds for a test of many steps, on a machine that has much else to do. */
const SLOW_MS = 120_000;

/** What every `CodeStore` holds to; `numRuns` bounds the two property tests. */
export function codeStoreContract(name: string, open: OpenStore, numRuns = 15): void {
  describe(name, { timeout: SLOW_MS }, () => {
    it('is empty at first', async () => {
      const [store] = await open();
      expect(await store.scopes()).toEqual([]);
      expect(await store.list('shared')).toEqual([]);
      expect(await store.get('shared', 'stats')).toBeUndefined();
      expect(await store.get('shared', 'stats', '1')).toBeUndefined();
      expect(await store.versions('shared', 'stats')).toEqual([]);
      expect(await store.delete('shared', 'stats')).toBe(false);
      await store.countRun('shared', 'stats');
      await store.markInvalid('shared', 'stats', 'gone', 'any');
      expect(await store.list('shared')).toEqual([]);
    });

    it('keeps a script, byte for byte, where another process finds it', async () => {
      const [store, other] = await open();
      const change = {
        description: 'size',
        language: 'lua',
        code,
        entry: 'Main',
        instructions: 'Pass it.\n',
        user: 'ann',
      } as const;
      const { revision, ...saved } = await store.save('shared', 'stats', change, NOW);
      expect(saved).toEqual({
        name: 'stats',
        description: 'size',
        language: 'lua',
        code,
        entry: 'Main',
        instructions: 'Pass it.\n',
        createdAt: at(0),
        updatedAt: at(0),
        runs: 0,
        savedBy: 'ann',
        updatedBy: 'ann',
      });
      expect(await other.get('shared', 'stats')).toEqual({ ...saved, revision });
      const { code: _, ...rest } = saved;
      const summary = { ...rest, revision, codeLen: Buffer.byteLength(code), hasCode: true, hasInstructions: true };
      expect(await other.list('shared')).toEqual([summary]);
    });

    it('keeps a skill: a record without code', async () => {
      const [store, other] = await open();
      await store.save('shared', 'dates', { description: 'how to write dates', instructions: 'ISO 8601' }, NOW);
      expect(await other.get('shared', 'dates')).toMatchObject({
        code: '',
        entry: '',
        language: 'javascript',
        runs: 0,
      });
      expect(await other.get('shared', 'dates')).not.toHaveProperty('savedBy');
      expect(await other.list('shared')).toMatchObject([{ codeLen: 0, hasCode: false, hasInstructions: true }]);
      await store.save('shared', 'blank', { code: ' \n', instructions: '\t' }, NOW);
      expect(await other.get('shared', 'blank')).toMatchObject({ code: '', instructions: '' });
    });

    it('changes what a save names and keeps the rest; tells who saved first and who last', async () => {
      const [store, other] = await open();
      await store.save(
        'shared',
        'stats',
        { code, language: 'go', entry: 'Main', description: 'old', user: 'ann' },
        NOW,
      );
      await other.save('shared', 'stats', { instructions: 'new', user: 'bob' }, NOW + 1);
      expect(await store.get('shared', 'stats')).toMatchObject({
        code,
        language: 'go',
        entry: 'Main',
        description: 'old',
        instructions: 'new',
        createdAt: at(0),
        updatedAt: at(1),
        savedBy: 'ann',
        updatedBy: 'bob',
      });
      const third = await store.save('shared', 'stats', { description: '', instructions: '' }, NOW + 2);
      expect(third).toMatchObject({ code, description: '', instructions: '', savedBy: 'ann' });
      expect(third).not.toHaveProperty('updatedBy');
      expect(await other.get('shared', 'stats')).toEqual(third);
    });

    it('keeps the entry with the code it was given with: new code without one has none', async () => {
      const [store, other] = await open();
      await store.save('shared', 'stats', { code, entry: 'Main' }, NOW);
      await store.save('shared', 'stats', { description: 'words' }, NOW);
      expect(await other.get('shared', 'stats')).toMatchObject({ entry: 'Main' });
      await store.save('shared', 'stats', { code: 'function Run() {}' }, NOW);
      expect(await other.get('shared', 'stats')).toMatchObject({ entry: '' });
    });

    it('keeps language and entry with the code where a save has words only, whatever it names', async () => {
      const [store, other] = await open();
      await store.save('shared', 'stats', { code, language: 'lua', entry: 'Main' }, NOW);
      await store.save('shared', 'stats', { description: 'words', language: 'go', entry: 'Other' }, NOW);
      expect(await other.get('shared', 'stats')).toMatchObject({
        language: 'lua',
        entry: 'Main',
        description: 'words',
      });
    });

    it('lists the newest first', async () => {
      const [store, other] = await open();
      for (const [index, one] of ['b', 'a', 'c', 'd'].entries()) {
        await store.save('shared', one, { code: 'return 1' }, NOW + (index < 2 ? 0 : index * 1000));
      }
      await other.save('shared', 'c', { description: 'again' }, NOW + 60_000);
      expect((await store.list('shared')).map((summary) => summary.name)).toEqual(['c', 'd', 'a', 'b']);
    });

    it('takes any text, whatever it holds', async () => {
      const [store, other] = await open();
      const texts = [
        '---\n',
        '\n\nreturn 1\n\n',
        'a\r\nb\r\n',
        '\u0000\u0007',
        '\uFEFFx',
        'x\ud800y',
        '😀'.repeat(1000),
        '"\'`$',
        'a\u2028b',
        ' lead',
      ];
      for (const [index, text] of texts.entries()) {
        await store.save('shared', `t${index}`, { code: text, description: text, instructions: text }, NOW);
        const kept = text.toWellFormed();
        const expected = { code: kept, description: kept, instructions: kept };
        expect(await other.get('shared', `t${index}`), JSON.stringify(text)).toMatchObject(expected);
      }
    });

    it('refuses a name, with what is allowed, in every operation', async () => {
      const [store] = await open();
      const error = { code: 'invalid_arguments', message: expect.stringContaining('1 to 64') };
      for (const bad of ['', 'a b', '../x', 'a/b', 'a.b', 'é', 'x'.repeat(65), 'a\n', '.', '~a']) {
        await expect(store.save('shared', bad, { code }, NOW), bad).rejects.toMatchObject(error);
        await expect(store.get('shared', bad), bad).rejects.toMatchObject(error);
        await expect(store.versions('shared', bad), bad).rejects.toMatchObject(error);
        await expect(store.countRun('shared', bad), bad).rejects.toMatchObject(error);
        await expect(store.markInvalid('shared', bad, 'x', 'y'), bad).rejects.toMatchObject(error);
        await expect(store.delete('shared', bad), bad).rejects.toMatchObject(error);
      }
      for (const good of ['x'.repeat(64), '_', '-', '0', '__proto__', 'constructor', 'CON', 'Z'.repeat(64)]) {
        await store.save('shared', good, { code }, NOW);
        expect(await store.get('shared', good)).toMatchObject({ name: good });
      }
    });

    it('refuses what is too long, says by how much, and keeps the old record', async () => {
      const [store] = await open();
      await store.save('shared', 'big', { code: 'x'.repeat(256 * 1024), instructions: 'ж'.repeat(32 * 1024) }, NOW);
      const before = await store.get('shared', 'big');
      expect(before?.code).toHaveLength(256 * 1024);
      for (const change of [
        { code: 'x'.repeat(256 * 1024 + 1) },
        { instructions: 'ж'.repeat(32 * 1024 + 1) },
        { description: 'x'.repeat(8193) },
      ]) {
        const [field, text] = Object.entries(change)[0]!;
        await expect(store.save('shared', 'big', change, NOW)).rejects.toMatchObject({
          code: 'invalid_arguments',
          message: expect.stringContaining(`"${field}" has ${Buffer.byteLength(text)} bytes and at most`),
        });
      }
      expect(await store.get('shared', 'big')).toEqual(before);
    });

    it('lists of long instructions what searches compare, and keeps the whole, also of earlier versions', async () => {
      const [store, other] = await open();
      const long = `${'ж'.repeat(MAX_SEARCHED_CHARS - 1)}😀 and so on`;
      await store.save('shared', 'long', { code, instructions: long }, NOW);
      expect(await other.list('shared')).toMatchObject([
        { instructions: 'ж'.repeat(MAX_SEARCHED_CHARS - 1), hasInstructions: true },
      ]);
      expect(await other.get('shared', 'long')).toMatchObject({ code, instructions: long });
      await other.save('shared', 'long', { description: 'words' }, NOW + 1);
      expect(await store.get('shared', 'long')).toMatchObject({ code, instructions: long, description: 'words' });
      await store.save('shared', 'long', { instructions: 'short' }, NOW + 2);
      expect(await other.get('shared', 'long')).toMatchObject({ code, instructions: 'short' });
      expect(await other.get('shared', 'long', '2')).toMatchObject({ code, instructions: long });
      expect((await other.versions('shared', 'long')).map(({ version }) => version)).toEqual(['1', '2']);
    });

    it('keeps so many records in a scope, says what to do about one more, and takes one when another has gone', async () => {
      const [store, other] = await open({ records: 2, versions: 9 });
      for (const name of ['a', 'b']) await store.save('shared', name, marked(name), NOW);
      await expect(other.save('shared', 'c', marked('c'), NOW)).rejects.toMatchObject({
        code: 'invalid_arguments',
        message:
          '2 scripts and skills are kept, and no more than 2 can be: change one that is there by its name (list_code shows them), or delete some.',
      });
      expect(await store.get('shared', 'c')).toBeUndefined();
      await other.save('shared', 'b', marked('b again'), NOW);
      await other.save('user:ann', 'c', marked('c'), NOW);
      await other.delete('shared', 'a');
      expect(markOf(await store.save('shared', 'c', marked('c'), NOW))).toBe('c');
    });

    it('keeps so many versions of a record, says what to do about one more, and takes what makes none', async () => {
      const [store, other] = await open({ records: 9, versions: 2 });
      for (const mark of ['1', '2', '3']) await store.save('shared', 'stats', marked(mark), NOW);
      await expect(other.save('shared', 'stats', marked('4'), NOW)).rejects.toMatchObject({
        code: 'invalid_arguments',
        message:
          '"stats" has 2 earlier versions, and no more than 2 are kept: save it under another name, or delete it first.',
      });
      expect(markOf(await store.get('shared', 'stats'))).toBe('3');
      expect(await store.versions('shared', 'stats')).toHaveLength(2);
      await other.save('shared', 'stats', marked('3'), NOW + 7);
      expect(await store.get('shared', 'stats')).toMatchObject({ updatedAt: at(7) });
      await store.delete('shared', 'stats');
      for (const mark of ['5', '6']) await other.save('shared', 'stats', marked(mark), NOW);
      expect(await store.versions('shared', 'stats')).toHaveLength(1);
    });

    it('keeps names that differ in capitals only apart', async () => {
      const [store, other] = await open();
      const names = ['stats', 'Stats', 'STATS', 'sTats', 'stats-1', 'Stats-1'];
      for (const one of names) await store.save('shared', one, marked(one), NOW);
      for (const one of names) expect(markOf(await other.get('shared', one))).toBe(one);
      expect((await other.list('shared')).map((summary) => summary.name).sort()).toEqual(names.toSorted());
      expect(await store.delete('shared', 'Stats')).toBe(true);
      expect(markOf(await other.get('shared', 'stats'))).toBe('stats');
    });

    it('keeps scopes apart, whatever a user id holds', async () => {
      const [store, other] = await open();
      const scopes = [
        'shared',
        'Shared',
        'a',
        'A',
        'a#b',
        'a/b',
        '..',
        '../shared',
        '.history',
        '__proto__',
        'é',
        'e\u0301',
        ' ',
        '%',
        '%2F',
        '~',
        'x'.repeat(256),
        'ж'.repeat(256),
        'ж'.repeat(255),
        '😀',
        'a\\b',
        'shared#stats',
        'user:a',
        'user~a',
        'user:A',
        'user:',
        'user::a',
        'user:user:a',
      ];
      for (const scope of scopes) await store.save(scope, 'stats', marked(scope), NOW);
      for (const scope of scopes) {
        expect(markOf(await other.get(scope, 'stats'))).toBe(scope);
        expect(await other.list(scope)).toHaveLength(1);
        expect(await other.versions(scope, 'stats')).toEqual([]);
      }
      expect((await other.scopes()).sort()).toEqual(scopes.toSorted());
      expect(await store.delete('a', 'stats')).toBe(true);
      expect(await store.get('a', 'stats')).toBeUndefined();
      expect(markOf(await other.get('A', 'stats'))).toBe('A');
      expect(await other.get('other', 'stats')).toBeUndefined();
    });

    it('counts runs, also those of two processes at once; reading is no run', async () => {
      const [store, other] = await open();
      await store.save('shared', 'stats', { code }, NOW);
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => (index % 2 ? store : other).countRun('shared', 'stats')),
      );
      expect(await store.get('shared', 'stats')).toMatchObject({ runs: 60, updatedAt: at(0) });
      expect(await other.list('shared')).toMatchObject([{ runs: 60 }]);
    });

    it('does not lose a run to a save at the same time, nor a save to a run', async () => {
      const [store, other] = await open();
      await store.save('shared', 'stats', marked('0'), NOW);
      await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          index % 3 ? other.countRun('shared', 'stats') : store.save('shared', 'stats', marked(`${index + 1}`), NOW),
        ),
      );
      expect(await other.get('shared', 'stats')).toMatchObject({ runs: 16 });
      expect(await other.versions('shared', 'stats')).toHaveLength(8);
    });

    it('marks a record invalid and clears the mark by a run or by new code, not by words', async () => {
      const [store, other] = await open();
      const { revision } = await store.save('shared', 'stats', { code }, NOW);
      await other.markInvalid('shared', 'stats', 'os.stat is gone', revision);
      expect(await store.get('shared', 'stats')).toMatchObject({ invalid: 'os.stat is gone', updatedAt: at(0), code });
      expect(await store.list('shared')).toMatchObject([{ invalid: 'os.stat is gone' }]);
      await store.save('shared', 'stats', { description: 'words' }, NOW);
      expect(await store.get('shared', 'stats')).toMatchObject({ invalid: 'os.stat is gone' });
      await other.countRun('shared', 'stats');
      const cleared = await store.get('shared', 'stats');
      expect(cleared).toMatchObject({ runs: 1 });
      expect(cleared).not.toHaveProperty('invalid');
      await store.markInvalid('shared', 'stats', 'gone again', cleared!.revision);
      const renewed = await other.save('shared', 'stats', { code: 'return 2' }, NOW);
      expect(renewed).not.toHaveProperty('invalid');
      expect(await store.get('shared', 'stats')).toEqual(renewed);
    });

    it('does not mark or clear a record that has changed since', async () => {
      const [store, other] = await open();
      const old = await store.save('shared', 'stats', { code }, NOW);
      const changed = await other.save('shared', 'stats', { code: 'return 2' }, NOW + 1);
      expect(changed.revision).not.toBe(old.revision);
      await store.markInvalid('shared', 'stats', 'gone', old.revision);
      expect(await store.get('shared', 'stats')).not.toHaveProperty('invalid');
      await store.countRun('shared', 'stats');
      await store.markInvalid('shared', 'stats', 'gone', changed.revision);
      await store.markInvalid('shared', 'stats', undefined, old.revision);
      expect(await store.get('shared', 'stats')).toMatchObject({ invalid: 'gone' });
      await store.markInvalid('shared', 'stats', undefined, changed.revision);
      expect(await store.get('shared', 'stats')).not.toHaveProperty('invalid');
      expect(await store.get('shared', 'stats')).toEqual({ ...changed, runs: 1 });
    });

    it('keeps earlier versions, whole', async () => {
      const [store, other] = await open();
      for (const mark of ['1', '2', '3']) {
        await store.save(
          'shared',
          'stats',
          { ...marked(mark), language: mark === '1' ? 'lua' : 'go' },
          NOW + Number(mark),
        );
      }
      await store.countRun('shared', 'stats');
      const versions = await other.versions('shared', 'stats');
      expect(versions).toEqual(
        ['1', '2'].map((mark) => ({
          version: mark,
          savedAt: at(Number(mark)),
          codeLen: Buffer.byteLength(marked(mark).code!),
        })),
      );
      const first = await other.get('shared', 'stats', '1');
      expect(markOf(first)).toBe('1');
      expect(first).toMatchObject({
        name: 'stats',
        language: 'lua',
        updatedAt: at(1),
        updatedBy: 'u 1',
        savedBy: 'u 1',
        runs: 1,
      });
      expect(markOf(await other.get('shared', 'stats', '2'))).toBe('2');
      expect(await other.get('shared', 'stats', '3')).toEqual(await other.get('shared', 'stats'));
      for (const none of ['0', '4', '01', '1.0', '-1', '', 'x', '../1', '__proto__', '1e0']) {
        expect(await other.get('shared', 'stats', none), none).toBeUndefined();
      }
    });

    it('makes no version of a save that says the same', async () => {
      const [store, other] = await open();
      await store.save('shared', 'stats', marked('1'), NOW);
      await other.save('shared', 'stats', marked('1'), NOW + 5);
      expect(await store.versions('shared', 'stats')).toEqual([]);
      expect(await store.get('shared', 'stats')).toMatchObject({ updatedAt: at(5), createdAt: at(0) });
    });

    it('deletes a record with its history and counters', async () => {
      const [store, other] = await open();
      for (const mark of ['1', '2']) await store.save('shared', 'stats', marked(mark), NOW);
      await store.save('shared', 'kept', marked('kept'), NOW);
      await store.countRun('shared', 'stats');
      expect(await other.delete('shared', 'stats')).toBe(true);
      expect(await other.delete('shared', 'stats')).toBe(false);
      expect(await store.get('shared', 'stats')).toBeUndefined();
      expect(await store.get('shared', 'stats', '1')).toBeUndefined();
      expect(await store.versions('shared', 'stats')).toEqual([]);
      expect((await store.list('shared')).map((summary) => summary.name)).toEqual(['kept']);
      expect(await store.save('shared', 'stats', marked('3'), NOW)).toMatchObject({ runs: 0, createdAt: at(0) });
      expect(await other.get('shared', 'stats')).toMatchObject({ runs: 0 });
      expect(await other.versions('shared', 'stats')).toEqual([]);
    });

    it('loses no record and mixes none when two processes save at once', async () => {
      const [store, other] = await open();
      const marks = Array.from({ length: 20 }, (_, index) => `m${index}`);
      const saved = await Promise.all(
        marks.map((mark, index) => (index % 2 ? store : other).save('shared', 'stats', marked(mark), NOW + index)),
      );
      expect(saved.map(markOf)).toEqual(marks);
      const versions = await store.versions('shared', 'stats');
      const earlier = await Promise.all(versions.map(({ version }) => other.get('shared', 'stats', version)));
      const all = [...earlier.map(markOf), markOf(await other.get('shared', 'stats'))];
      expect(all.toSorted()).toEqual(marks.toSorted());
    });

    it(
      'agrees with a plain model, whatever is done in whatever order by either process',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => follow(steps, open)),
          { numRuns },
        );
      },
      SLOW_MS,
    );

    it(
      'is as if one thing had been done after the other, where much is done at once',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) => crowd(steps, open)),
          { numRuns },
        );
      },
      SLOW_MS,
    );
  });
}

interface Step {
  process: 0 | 1;
  name: 'one' | 'One';
  act: 'save' | 'words' | 'run' | 'mark' | 'delete';
}

const step: fc.Arbitrary<Step> = fc.record({
  process: fc.constantFrom(0, 1),
  name: fc.constantFrom('one', 'One'),
  act: fc.constantFrom('save', 'save', 'words', 'run', 'mark', 'delete'),
});

/** One thing after the other, compared with a map after each. */
async function follow(steps: Step[], open: OpenStore): Promise<void> {
  const stores = await open();
  const model = new Map<
    string,
    { code: string; description: string; runs: number; invalid?: string; earlier: string[] }
  >();
  for (const [index, { process, name, act }] of steps.entries()) {
    const store = stores[process];
    const known = model.get(name);
    const text = `${index}`;
    if (act === 'save' || act === 'words') {
      const change = act === 'save' ? { code: text } : { description: text };
      await store.save('shared', name, change, NOW + index);
      const { invalid, ...before } = known ?? { code: '', description: '', runs: 0, earlier: [] };
      const earlier = known ? [...before.earlier, `${before.code}/${before.description}`] : [];
      model.set(name, { ...before, ...change, earlier, ...(act === 'words' && invalid !== undefined && { invalid }) });
    } else if (act === 'run') {
      await store.countRun('shared', name);
      if (known) {
        known.runs += 1;
        delete known.invalid;
      }
    } else if (act === 'mark') {
      const record = await stores[0].get('shared', name);
      await store.markInvalid('shared', name, text, record?.revision ?? 'none');
      if (known) known.invalid = text;
    } else {
      expect(await store.delete('shared', name)).toBe(known !== undefined);
      model.delete(name);
    }
    for (const [one, expected] of [...model]) {
      const { earlier, ...fields } = expected;
      const other = stores[process === 0 ? 1 : 0];
      const record = await other.get('shared', one);
      expect(record).toMatchObject(fields);
      expect(record?.invalid).toBe(fields.invalid);
      const versions = await other.versions('shared', one);
      const texts = await Promise.all(versions.map(({ version }) => other.get('shared', one, version)));
      expect(texts.map((text) => `${text?.code}/${text?.description}`)).toEqual(earlier);
    }
    expect((await store.list('shared')).map((summary) => summary.name).sort()).toEqual([...model.keys()].sort());
  }
}

/** All at once; then what must hold in every order is checked. */
async function crowd(steps: Step[], open: OpenStore): Promise<void> {
  const stores = await open();
  await stores[0].save('shared', 'one', marked('first'), NOW);
  const doing = steps.map(async ({ process, act }, index) => {
    const store = stores[process];
    if (act === 'run') return store.countRun('shared', 'one');
    if (act === 'save' || act === 'words') return store.save('shared', 'one', marked(`${index}`), NOW + index);
    const record = await store.get('shared', 'one');
    markOf(record);
    return store.markInvalid('shared', 'one', 'gone', record!.revision);
  });
  await Promise.all(doing);
  const record = await stores[1].get('shared', 'one');
  expect(record?.runs).toBe(steps.filter(({ act }) => act === 'run').length);
  const versions = await stores[0].versions('shared', 'one');
  const marks = await Promise.all(
    versions.map(async ({ version }) => markOf(await stores[1].get('shared', 'one', version))),
  );
  const saves = [...steps.entries()]
    .filter(([, { act }]) => act === 'save' || act === 'words')
    .map(([index]) => `${index}`);
  expect([...marks, markOf(record)].sort()).toEqual(['first', ...saves].sort());
}
