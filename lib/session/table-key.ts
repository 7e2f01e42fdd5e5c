import type { Table } from '../dynamodb.ts';

const PK = 'key#request-state';
const SK = '-';

/**
 * A secret key that all environments share: the first that needs one makes it and puts it where none is; whoever comes
 * second at that reads the first one's. Read once a process; a failure is forgotten.
 */
export function createTableKey(table: Table, random: () => Uint8Array): () => Promise<Uint8Array> {
  let known: Promise<Uint8Array> | undefined;

  async function read(): Promise<Uint8Array> {
    const item = await table.get(PK, SK);
    if (item) return item['key'] as Uint8Array;
    const fresh = random();
    const { done } = await table.put({ pk: PK, sk: SK, key: fresh }, { condition: 'attribute_not_exists(pk)' });
    // Not done may also be our own put, done at an attempt whose answer was lost: what stands there counts.
    return done ? fresh : read();
  }

  return () => {
    known ??= read().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
