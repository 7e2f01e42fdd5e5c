import type { Table } from '../../lib/dynamodb.ts';
import type { BodyStore } from '../../lib/store/s3.ts';

/** Stands between the store and one of its operations: may refuse it, or do something before, after or instead of it. */
export type Step = (operation: string, work: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>;

/** A table and bodies each of whose operations goes through `step`. */
export function stepwise(table: Table, bodies: BodyStore, step: Step): [Table, BodyStore] {
  return [through(table, 'table', step), through(bodies, 'bodies', step)];
}

function through<T extends object>(target: T, name: string, step: Step): T {
  const entries = Object.entries(target).map(
    ([operation, original]: [string, (...args: unknown[]) => Promise<unknown>]) => [
      operation,
      (...args: unknown[]) => step(`${name}.${operation}`, () => original(...args), args),
    ],
  );
  return Object.fromEntries(entries) as T;
}
