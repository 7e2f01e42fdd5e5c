import type { Item, Table } from '../../lib/dynamodb.ts';

/** A table as if it were empty: every partition's key begins with the same new text. */
export function tablePart(table: Table, mark: string): Table {
  const key = (pk: string) => `${mark}${pk}`;
  const bare = <T extends Item | undefined>(item: T): T => item && { ...item, pk: item.pk.slice(mark.length) };
  return {
    get: async (pk, sk) => bare(await table.get(key(pk), sk)),
    query: async (pk, options) => (await table.query(key(pk), options)).map(bare),
    put: (item, condition) => table.put({ ...item, pk: key(item.pk) }, condition),
    update: (pk, sk, change) => table.update(key(pk), sk, change),
    delete: (pk, sk, condition) => table.delete(key(pk), sk, condition),
  };
}
