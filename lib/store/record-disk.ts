import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodeModeError } from '../errors.ts';
import { type FiledRecord, formatRecordFile, parseRecordFile } from './record-file.ts';

/** Bytes of a record's file; a larger one was not written here and is not read. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a record's file; undefined where there is none. Throws `not_runnable`, saying what to mend, for a file that a
 * person's edit has made unreadable.
 */
export async function readRecord(path: string): Promise<FiledRecord | undefined> {
  let text: string;
  let changedAt: string;
  try {
    const { size, mtime } = await stat(path);
    if (size > MAX_FILE_BYTES) throw unreadable(path, `the file has more than ${MAX_FILE_BYTES} bytes`);
    changedAt = mtime.toISOString();
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return parseRecordFile(text, changedAt);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

/**
 * Puts a record in its place in one step: whoever reads, or dies, meanwhile finds the old file or the new one, whole. For
 * the record's only writer: it clears away what earlier ones left unfinished, so one that was thought dead and wakes up
 * has nothing to put in place. `sure` is asked last, and what it throws leaves the old file.
 */
export async function replaceRecord(path: string, record: FiledRecord, sure: () => Promise<void>): Promise<void> {
  const folder = dirname(path);
  const unfinished = (await namesIn(folder)).filter((name) => name.startsWith(`${basename(path)}.`));
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'wx');
  try {
    await file.writeFile(formatRecordFile(record));
    await file.sync();
  } finally {
    await file.close();
  }
  await sure();
  await rename(temporary, path);
  await syncFolder(folder);
}

/** Keeps the present file as an earlier version, as it is on the disk: a person's edits with it. */
export async function archiveRecord(path: string, history: string, version: number): Promise<void> {
  await mkdir(history, { recursive: true });
  await link(path, versionFile(history, version));
  await syncFolder(history);
}

/** The numbers of the versions kept, in order. */
export async function versionNumbers(history: string): Promise<number[]> {
  const files = await namesIn(history);
  return files
    .map((file) => Number(/^([1-9]\d*)\.code$/.exec(file)?.[1]))
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b);
}

/** Where a version is kept. */
export function versionFile(history: string, version: number): string {
  return join(history, `${version}.code`);
}

/** The names in a folder; none where there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Size of a file in bytes; undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A rename is on the disk for sure when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, why: string): CodeModeError {
  const file = path.split('/').slice(-2).join('/');
  return new CodeModeError(
    'not_runnable',
    `The stored file ${file} cannot be read, ${why}. Mend the file, or delete it.`,
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
