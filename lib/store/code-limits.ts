import { CodeModeError } from '../errors.ts';
import type { CodeChange } from './contract.ts';

/** Bytes of UTF-8. */
export const MAX_CODE_BYTES = 256 * 1024;
export const MAX_INSTRUCTIONS_BYTES = 64 * 1024;
export const MAX_DESCRIPTION_BYTES = 8 * 1024;

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
