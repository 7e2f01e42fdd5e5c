import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodeModeError } from '../errors.ts';
import { applyChange } from './apply-change.ts';
import { checkName, checkRoomForRecord, checkRoomForVersion, checkSizes, MAX_KEPT } from './code-limits.ts';
import type { CodeRecord, CodeStore, CodeSummary } from './contract.ts';
import { withLock } from './file-lock.ts';
import { fileOf, nameOfFile } from './file-names.ts';
import {
  archiveRecord,
  namesIn,
  readRecord,
  replaceRecord,
  sizeOf,
  versionFile,
  versionNumbers,
} from './record-disk.ts';
import type { FiledRecord } from './record-file.ts';
import { scopeKey, scopeOfKey } from './scope-key.ts';
import { newestFirst, summaryOf } from './summary.ts';
import { createSummaryCache } from './summary-cache.ts';

/** Beside the records of a scope whose folder is named by a hash. */
const SCOPE_FILE = '.scope';

/** Records read at once: what is read has to be understood, and others get their turn between. */
const AT_ONCE = 16;

/** Where everything of one record is. */
interface Places {
  name: string;
  file: string;
  /** Earlier versions. */
  history: string;
  /** A byte for every run: appending is atomic, between processes too, and leaves the file that people edit alone. */
  runs: string;
  lock: string;
}

/**
 * Keeps code in a directory: a folder a scope, a readable file a record. Writers of a record take turns by a lock;
 * readers never wait, for a file is replaced in one step. A file changed by hand is what the record is from then on.
 */
export function createDirectoryStore(dir: string, bounds = MAX_KEPT): CodeStore {
  const summaries = createSummaryCache();

  function placesOf(scope: string, name: string): Places {
    checkName(name);
    const folder = join(dir, scopeKey(scope));
    const file = fileOf(name);
    return {
      name,
      file: join(folder, file),
      history: join(folder, '.history', file),
      runs: join(folder, '.runs', file),
      lock: join(folder, '.locks', file),
    };
  }

  /** A folder whose name does not tell its scope holds a file that does. */
  async function nameScope(scope: string): Promise<void> {
    const folder = join(dir, scopeKey(scope));
    if (scopeOfKey(scopeKey(scope)) === undefined) await writeFile(join(folder, SCOPE_FILE), scope);
  }

  return {
    async scopes() {
      const told = async (key: string) =>
        scopeOfKey(key) ?? (await readFile(join(dir, key, SCOPE_FILE), 'utf8').catch(() => undefined));
      const scopes = await Promise.all((await namesIn(dir)).map(told));
      return scopes.filter((scope) => scope !== undefined);
    },

    async list(scope) {
      const files = await namesIn(join(dir, scopeKey(scope)));
      const names = files.map(nameOfFile).filter((name) => name !== undefined);
      const found: CodeSummary[] = [];
      const work = async () => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          const places = placesOf(scope, name);
          const summary = await summaries(places.file, () => summarise(places));
          if (summary) found.push({ ...summary, runs: (await sizeOf(places.runs)) ?? 0 });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return found.sort(newestFirst);
    },

    async get(scope, name, version) {
      const places = placesOf(scope, name);
      const current = await readRecord(places.file);
      if (!current) return undefined;
      if (version === undefined || version === String(current.version)) return recordOf(places, current);
      const number = (await versionNumbers(places.history)).find((kept) => String(kept) === version);
      if (number === undefined || number > current.version) return undefined;
      const earlier = await readRecord(versionFile(places.history, number));
      return earlier && recordOf(places, earlier);
    },

    async versions(scope, name) {
      const places = placesOf(scope, name);
      const current = await readRecord(places.file);
      if (!current) return [];
      const numbers = (await versionNumbers(places.history)).filter((number) => number < current.version);
      const kept = numbers.map(async (number) => {
        const earlier = await readRecord(versionFile(places.history, number));
        return (
          earlier && { version: String(number), savedAt: earlier.updatedAt, codeLen: Buffer.byteLength(earlier.code) }
        );
      });
      return (await Promise.all(kept)).filter((version) => version !== undefined);
    },

    async save(scope, name, change, now) {
      const places = placesOf(scope, name);
      checkSizes(change);
      return exclusively(places, async (mine) => {
        const before = await readRecord(places.file);
        const { after, newVersion } = applyChange(before, change, now);
        const filed: FiledRecord = { ...after, version: before?.version ?? 1 };
        if (!before) {
          const files = await namesIn(dirname(places.file));
          checkRoomForRecord(files.filter((file) => nameOfFile(file) !== undefined).length, bounds);
          await Promise.all([forget(places), nameScope(scope)]);
        }
        if (before && newVersion) {
          // A number that is taken was left by a save killed half-way, or by a person's edit of "version": keep both.
          const numbers = await versionNumbers(places.history);
          checkRoomForVersion(name, numbers.length, bounds);
          const kept = Math.max(before.version, (numbers.at(-1) ?? 0) + 1);
          await archiveRecord(places.file, places.history, kept);
          filed.version = kept + 1;
        }
        await replaceRecord(places.file, filed, mine);
        return recordOf(places, filed);
      });
    },

    async countRun(scope, name) {
      const places = placesOf(scope, name);
      const current = await readRecord(places.file);
      if (!current) return;
      await mkdir(dirname(places.runs), { recursive: true });
      await appendFile(places.runs, '.');
      if (current.invalid !== undefined) await mark(places, undefined);
    },

    async markInvalid(scope, name, reason, revision) {
      const places = placesOf(scope, name);
      if (await readRecord(places.file)) await mark(places, reason, revision);
    },

    async delete(scope, name) {
      const places = placesOf(scope, name);
      if ((await sizeOf(places.file)) === undefined) return false;
      return exclusively(places, async () => {
        if ((await sizeOf(places.file)) === undefined) return false;
        await rm(places.file);
        await forget(places);
        return true;
      });
    },
  };
}

/** Removes what is kept beside a record that is no more. */
async function forget(places: Places): Promise<void> {
  await rm(places.history, { recursive: true, force: true });
  await rm(places.runs, { force: true });
}

/** Sets or clears the mark; with a revision, only while the record still has it. */
function mark(places: Places, reason: string | undefined, revision?: string): Promise<void> {
  return exclusively(places, async (mine) => {
    const current = await readRecord(places.file);
    if (!current || current.invalid === reason) return;
    if (revision !== undefined && revisionOf(current) !== revision) return;
    const { invalid: _, ...unmarked } = current;
    await replaceRecord(places.file, reason === undefined ? unmarked : { ...unmarked, invalid: reason }, mine);
  });
}

/** Runs `work` as the record's only writer; `mine` throws where that is no longer so. */
async function exclusively<T>(places: Places, work: (mine: () => Promise<void>) => Promise<T>): Promise<T> {
  await mkdir(dirname(places.lock), { recursive: true });
  return withLock(places.lock, (held) =>
    work(async () => {
      if (!(await held())) throw new Error(`another writer has taken over ${places.name}: nothing was changed`);
    }),
  );
}

async function recordOf(places: Places, filed: FiledRecord): Promise<CodeRecord> {
  const { version: _, ...content } = filed;
  return { name: places.name, ...content, runs: (await sizeOf(places.runs)) ?? 0, revision: revisionOf(filed) };
}

/** A record in the list; one whose file cannot be read is shown with the reason, so that nothing looks missing. */
async function summarise(places: Places): Promise<CodeSummary | undefined> {
  try {
    const filed = await readRecord(places.file);
    return filed && summaryOf(await recordOf(places, filed));
  } catch (error) {
    if (!(error instanceof CodeModeError)) throw error;
    const nothing: FiledRecord = {
      description: '',
      language: 'javascript',
      code: '',
      entry: '',
      instructions: '',
      createdAt: '',
      updatedAt: '',
      version: 1,
    };
    return summaryOf(await recordOf(places, { ...nothing, invalid: error.message }));
  }
}

/** Of all that people and saves can change; marks and runs are the machine's own and leave it. */
function revisionOf({ invalid: _, ...record }: FiledRecord): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(record).sort()))
    .digest('hex');
}
