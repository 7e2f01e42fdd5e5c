import type { CodeChange, CodeRecord } from './contract.ts';

/** What a record says, without its name and what the machine counts. */
export type CodeContent = Omit<CodeRecord, 'name' | 'runs' | 'revision'>;

/** What makes two states of a record different versions. */
const BODY = ['description', 'language', 'code', 'entry', 'instructions'] as const;

/**
 * The record after a change; absent fields keep what they have. New code clears the `invalid` mark and brings its own
 * entry, or none; words alone change neither entry nor language, whatever they name: the code would not run by others.
 * `newVersion` tells whether the text differs, so that the state before is to be kept as a version.
 */
export function applyChange(
  before: CodeContent | undefined,
  change: CodeChange,
  now: number,
): { after: CodeContent; newVersion: boolean } {
  const time = new Date(now).toISOString();
  const words = before !== undefined && change.code === undefined;
  const after: CodeContent = {
    description: keepable(change.description ?? before?.description ?? ''),
    language: (words ? undefined : change.language) ?? before?.language ?? 'javascript',
    code: keepable(change.code ?? before?.code ?? ''),
    entry: keepable((words ? before?.entry : change.entry) ?? ''),
    instructions: keepable(change.instructions ?? before?.instructions ?? ''),
    createdAt: before?.createdAt ?? time,
    updatedAt: time,
  };
  const savedBy = before ? before.savedBy : change.user;
  if (savedBy !== undefined) after.savedBy = savedBy;
  if (change.user !== undefined) after.updatedBy = change.user;
  if (before?.invalid !== undefined && change.code === undefined) after.invalid = before.invalid;
  return { after, newVersion: before !== undefined && BODY.some((field) => before[field] !== after[field]) };
}

/** A text as UTF-8 can carry it; nothing but white space is no text, so that a skill stays one in every store. */
function keepable(text: string): string {
  return text.trim() === '' ? '' : text.toWellFormed();
}
