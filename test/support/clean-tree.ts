import { execFileSync } from 'node:child_process';

/** Fails when the commands before it changed or left a file that git would see. */
const changes = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim();
if (changes) {
  console.error(`The tree is not clean:\n${changes}\nCommit these files, or stop the command that makes them.`);
  process.exit(1);
}
