/**
 * Changes the files of a room one small way at a time and runs the room's tests against each: a change that no test notices
 * is a survivor, and there may be none but those explained in `equivalent.ts`. `npm run mutation [file…]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { EQUIVALENT } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const room = join(root, 'lib/access');
const wanted = process.argv.slice(2);
const files = readdirSync(room).filter((file) => wanted.length === 0 || wanted.includes(file));

/** Tests of the room, those that notice most and take least first. */
const TESTS = ['rights', 'identify', 'key-set', 'attacks'].map((name) => join(root, `test/access/${name}.test.ts`));

let present: { path: string; code: string } | undefined;

const vitest = await createVitest(
  {
    root,
    config: false,
    watch: false,
    bail: 1,
    fsModuleCache: false,
    reporters: [{}],
    pool: 'threads',
    maxWorkers: 1,
    testTimeout: 20_000,
    include: ['test/access/*.test.ts'],
  },
  {
    plugins: [
      { name: 'mutant', enforce: 'pre', transform: (_, id) => (present && id === present.path ? present.code : null) },
    ],
    logLevel: 'silent',
  },
);
const specifications = await vitest.globTestSpecifications();
const ordered = TESTS.map((path) => specifications.find(({ moduleId }) => moduleId === path)!);

/** Whether some test fails while the file at `path` is `code`. */
async function isNoticed(path: string, code: string | undefined): Promise<boolean> {
  present = code === undefined ? undefined : { path, code };
  for (const specification of ordered) {
    vitest.invalidateFile(path);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true;
  }
  return false;
}

function isEquivalent(file: string, { before, after, line }: Mutant): boolean {
  return EQUIVALENT.some(
    (one) =>
      one.file === file &&
      one.before === before &&
      one.after === after &&
      (one.line === undefined || one.line === line),
  );
}

if (await isNoticed('', undefined)) throw new Error('the tests fail without any mutant: mend that first');
let count = 0;
let explained = 0;
const survivors: string[] = [];
for (const file of files) {
  const path = join(room, file);
  if (!(await isNoticed(path, 'throw new Error("not to be loaded");'))) {
    process.stdout.write(`${file}: no test loads it\n`);
    continue;
  }
  const mutants = mutantsOf(readFileSync(path, 'utf8'));
  for (const mutant of mutants) {
    count += 1;
    if (isEquivalent(file, mutant)) explained += 1;
    else if (!(await isNoticed(path, mutant.code))) {
      survivors.push(`${file}:${mutant.line}  ${mutant.before}  →  ${mutant.after}`);
      process.stdout.write(`survivor ${survivors.at(-1)}\n`);
    }
  }
  process.stdout.write(`${basename(file)}: ${mutants.length} mutants\n`);
}
await vitest.close();
process.stdout.write(`${count} mutants, ${explained} explained as equivalent, ${survivors.length} survivors\n`);
process.exit(survivors.length === 0 ? 0 : 1);
