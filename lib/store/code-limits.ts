import { CodeModeError } from '../errors.ts';
import type { CodeChange } from './contract.ts';

/** Bytes of UTF-8. */
export const MAX_CODE_BYTES = 256 * 1024;
export const MAX_INSTRUCTIONS_BYTES = 64 * 1024;
export const MAX_DESCRIPTION_BYTES = 8 * 1024;

/** Of instructions, characters that searches compare; a list holds no more of them. */
export const MAX_SEARCHED_CHARS = 2000;

/** How much is kept. */
export interface StoreBounds {
  /** Records of one scope. Those who create at the very same time may go over it by as many as they are. */
  records: number;
  /** Earlier versions of one record. */
  versions: number;
}

/** Lists and searches read all records of a scope, and `get_code` names all versions of one. */
export const MAX_KEPT: StoreBounds = { records: 2000, versions: 500 };

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Throws `invalid_arguments` for a name no record may have. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new CodeModeError(
    'invalid_arguments',
    `The name ${JSON.stringify(name.slice(0, 80))} is not allowed: use 1 to 64 of the letters a-z and A-Z, digits, "_" and "-".`,
  );
}

/** Throws `invalid_arguments` for a text that is too long to keep; says by how much. */
export function checkSizes(change: CodeChange): void {
  checkSize('code', change.code, MAX_CODE_BYTES);
  checkSize('instructions', change.instructions, MAX_INSTRUCTIONS_BYTES);
  checkSize('description', change.description, MAX_DESCRIPTION_BYTES);
}

function checkSize(field: string, text: string | undefined, limit: number): void {
  const bytes = Buffer.byteLength(text ?? '');
  if (bytes <= limit) return;
  throw new CodeModeError(
    'invalid_arguments',
    `"${field}" has ${bytes} bytes and at most ${limit} can be kept: shorten it, or split it into several records.`,
  );
}

/** Throws `invalid_arguments` where a scope that has this many records is to get one more. */
export function checkRoomForRecord(kept: number, bounds: StoreBounds): void {
  if (kept < bounds.records) return;
  throw new CodeModeError(
    'invalid_arguments',
    `${kept} scripts and skills are kept, and no more than ${bounds.records} can be: change one that is there by its name (list_code shows them), or delete some.`,
  );
}

/** Throws `invalid_arguments` where a record that has this many earlier versions is to get one more. */
export function checkRoomForVersion(name: string, kept: number, bounds: StoreBounds): void {
  if (kept < bounds.versions) return;
  throw new CodeModeError(
    'invalid_arguments',
    `"${name}" has ${kept} earlier versions, and no more than ${bounds.versions} are kept: save it under another name, or delete it first.`,
  );
}

/** As much of instructions as searches compare, in memory of its own: a mere part would keep the whole text there. */
export function searchedPart(instructions: string): string {
  if (instructions.length <= MAX_SEARCHED_CHARS) return instructions;
  return Buffer.from(instructions.slice(0, MAX_SEARCHED_CHARS).replace(/[\ud800-\udbff]$/, '')).toString();
}
