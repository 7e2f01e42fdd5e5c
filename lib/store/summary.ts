import type { CodeRecord, CodeSummary } from './contract.ts';

/** A record as lists show it. */
export function summaryOf(record: CodeRecord): CodeSummary {
  const { code, ...rest } = record;
  return {
    ...rest,
    codeLen: Buffer.byteLength(code),
    hasCode: code !== '',
    hasInstructions: record.instructions !== '',
  };
}

/** Newest first; by name where two were changed in the same millisecond. */
export function newestFirst(one: CodeSummary, other: CodeSummary): number {
  return other.updatedAt.localeCompare(one.updatedAt) || one.name.localeCompare(other.name);
}
