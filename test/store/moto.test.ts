import { randomUUID } from 'node:crypto';
import { afterAll, it } from 'vitest';
import { createTable } from '../../lib/dynamodb.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { createBodyStore } from '../../lib/store/s3.ts';
import { startMoto } from '../support/moto.ts';
import { codeStoreContract } from './contract.ts';
import { tablePart } from './table-part.ts';

const moto = await startMoto();

if ('skipped' in moto) {
  it.skip(`the AWS store on moto: skipped, ${moto.skipped}`);
} else {
  afterAll(moto.close);
  const table = createTable(moto.tableName);
  const bodies = createBodyStore(moto.bucket);
  codeStoreContract(
    'the AWS store on moto',
    async (bounds) => {
      const part = tablePart(table, randomUUID());
      return [createAwsStore(part, bodies, bounds), createAwsStore(part, bodies, bounds)];
    },
    2,
  );
}
