/** A process of its own that takes a lock, says so, and holds it until it is killed. */
import { withLock } from '../../lib/store/file-lock.ts';

await withLock(process.argv[2]!, async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
