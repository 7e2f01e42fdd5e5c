import { parse, stringify } from 'yaml';
import * as z from 'zod';
import type { CodeContent } from './apply-change.ts';

/** A record as its file holds it: the content, and the number of its version. */
export interface FiledRecord extends CodeContent {
  version: number;
}

/** Of a version's number; saves count on from the one a person writes. */
const MAX_VERSION = 1_000_000_000;

/** RFC 3339, as lists are sorted by it. */
const time = z.iso.datetime({ offset: true });

/** The head of a file, in the order it is written; closed, so that a slip of a person's hand is told and not ignored. */
const headSchema = z.strictObject({
  description: z.string().default(''),
  language: z.enum(['javascript', 'typescript', 'lua', 'go']).default('javascript'),
  entry: z.string().default(''),
  version: z.int().min(1).max(MAX_VERSION).default(1),
  createdAt: time.optional(),
  updatedAt: time.optional(),
  savedBy: z.string().optional(),
  updatedBy: z.string().optional(),
  invalid: z.string().optional(),
  instructions: z.string().default(''),
});

const HEAD = /^\uFEFF?---\r?\n((?:[^\n]*\n)*?)---(?:\r?\n|$)/;

/** Nothing is folded: folding quoted text with blank lines in it does not give it back unchanged. */
const YAML = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY };

/**
 * The parser puts texts together letter by letter, as a chain of pieces that takes forty times their room and long to read.
 */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

/** A head of YAML between lines of dashes, then the code byte for byte. */
export function formatRecordFile(record: FiledRecord): string {
  const head = Object.fromEntries(headSchema.keyof().options.map((key) => [key, record[key]]));
  return `---\n${stringify(head, YAML)}---\n${record.code}`;
}

/**
 * Reads a file a machine or a person has written: what the head leaves out has its default, and a file without a head is
 * code alone. `changedAt` (RFC 3339) stands in for times it does not tell. Throws an Error that says what to mend.
 */
export function parseRecordFile(text: string, changedAt: string): FiledRecord {
  const head = HEAD.exec(text);
  const body = head ? text.slice(head[0].length) : text;
  const fields: unknown = head ? (parse(head[1]!, { maxAliasCount: 0 }) ?? {}) : {};
  const parsed = headSchema.safeParse(fields);
  if (!parsed.success) throw new Error(`the head of the file is not right: ${z.prettifyError(parsed.error)}`);
  const { createdAt, updatedAt, savedBy, updatedBy, invalid, description, instructions, ...rest } = parsed.data;
  return {
    ...rest,
    description: inOnePiece(description),
    instructions: inOnePiece(instructions),
    code: body.trim() === '' ? '' : body,
    createdAt: createdAt ?? changedAt,
    updatedAt: updatedAt ?? changedAt,
    ...(savedBy !== undefined && { savedBy }),
    ...(updatedBy !== undefined && { updatedBy }),
    ...(invalid !== undefined && { invalid }),
  };
}
