import { createTable } from '../../../lib/dynamodb.ts';
import { CodeModeError } from '../../../lib/errors.ts';
import type { CodeStore } from '../../../lib/store/contract.ts';
import { createAwsStore } from '../../../lib/store/dynamodb.ts';
import { createBodyStore } from '../../../lib/store/s3.ts';
import { tablePart } from '../../store/table-part.ts';

// The code store as a function of its own, so that its tests can reach it in an environment as the gateway does.

/** One operation of the store in the part of the table that `mark` names. */
export interface StoreEvent {
  mark: string;
  /** Where fewer are to be kept than by default. */
  bounds?: Parameters<typeof createAwsStore>[2];
  operation: keyof CodeStore;
  args: unknown[];
}

/** What the operation gave; absent where it gave nothing. */
export type StoreAnswer = { value?: unknown } | { error: { code: string; message: string } };

const bodies = createBodyStore(process.env['BUCKET_NAME'] ?? '');
const table = createTable(process.env['TABLE_NAME'] ?? '');

export async function handler({ mark, bounds, operation, args }: StoreEvent): Promise<StoreAnswer> {
  const store = createAwsStore(tablePart(table, mark), bodies, bounds);
  try {
    const work = store[operation] as (...all: unknown[]) => Promise<unknown>;
    // What is left out arrives as null.
    return { value: await work(...args.map((arg) => arg ?? undefined)) };
  } catch (error) {
    if (!(error instanceof CodeModeError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
