/**
 * A process of its own that saves to the AWS store. Arguments: table, bucket, mark, how many saves, the number of the
 * operation it is killed at, and whether `before` or `after` it. Prints a line for every save that was answered.
 */
import { createTable } from '../../lib/dynamodb.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { createBodyStore } from '../../lib/store/s3.ts';
import { marked, NOW } from './marked.ts';
import { stepwise } from './stepwise.ts';

const [table, bucket, mark, saves, killAt, moment] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

let operations = 0;

async function die(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

const doors = stepwise(createTable(table), createBodyStore(bucket), async (_, work) => {
  operations += 1;
  const last = operations === Number(killAt);
  if (last && moment === 'before') await die();
  const result = await work();
  if (last && moment === 'after') await die();
  return result;
});

const store = createAwsStore(...doors);
for (let index = 0; index < Number(saves); index += 1) {
  await store.save('shared', 'stats', marked(`${mark}${index}`), NOW);
  process.stdout.write(`${mark}${index}\n`);
}
process.stdout.write(`operations ${operations}\n`);
