/**
 * Changes the files of a room one small way at a time and runs the room's tests against each: a change that no test notices
 * is a survivor, and there may be none but those explained in `equivalent.ts`. `npm run mutation [file…]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { EQUIVALENT } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const room = join(root, 'lib/access');
const wanted = process.argv.slice(2);
const files = readdirSync(room).filter((file) => wanted.length === 0 || wanted.includes(file));

/** Tests of the room, those that notice most of a file's mutants and take least first. */
function testsOf(file: string): string[] {
  const names = file.startsWith('rights') ? ['rights', 'identify'] : ['identify', 'key-set', 'attacks'];
  return names.map((name) => join(root, `test/access/${name}.test.ts`));
}

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
    testTimeout: 120_000,
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

/** Whether some test fails while a file is `code`; without code, as it is. */
async function isNoticed(file: string, code: string | undefined): Promise<boolean> {
  const path = join(room, file);
  present = code === undefined ? undefined : { path, code };
  for (const test of testsOf(file)) {
    vitest.invalidateFile(path);
    const specification = specifications.filter(({ moduleId }) => moduleId === test);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specification);
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true;
  }
  return false;
}

/** Without a mutant no test may fail, or nothing that is found counts; with nonsense one must. */
async function checkMeasure(file: string): Promise<boolean> {
  if (await isNoticed(file, undefined)) throw new Error('the tests fail without any mutant: mend that first');
  return isNoticed(file, 'throw new Error("not to be loaded");');
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

let count = 0;
let explained = 0;
const survivors: string[] = [];
for (const file of files) {
  if (!(await checkMeasure(file))) {
    process.stdout.write(`${file}: no test loads it\n`);
    continue;
  }
  const mutants = mutantsOf(readFileSync(join(room, file), 'utf8'));
  for (const mutant of mutants) {
    count += 1;
    if (isEquivalent(file, mutant)) explained += 1;
    else if (!(await isNoticed(file, mutant.code))) {
      survivors.push(`${file}:${mutant.line}  ${mutant.before}  →  ${mutant.after}`);
      process.stdout.write(`survivor ${survivors.at(-1)}\n`);
    }
  }
  await checkMeasure(file);
  process.stdout.write(`${file}: ${mutants.length} mutants\n`);
}
await vitest.close();
process.stdout.write(`${count} mutants, ${explained} explained as equivalent, ${survivors.length} survivors\n`);
process.exit(survivors.length === 0 ? 0 : 1);
