/**
 * Changes the files of `lib/access` one small way at a time and runs the room's tests against each: a change that no test
 * notices is a survivor, and there may be none but those explained in `equivalent.ts`. `npm run mutation [file…]`.
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

/** Tests of the room that a file's mutants can meet. */
function testsOf(file: string): string[] {
  const own: Record<string, string[]> = {
    'rights.ts': ['rights', 'identify'],
    'rights-key.ts': ['rights', 'identify'],
    'when-token-ends.ts': ['when-token-ends'],
    'resource-metadata.ts': ['resource-metadata'],
  };
  const names = own[file] ?? ['identify', 'key-set', 'attacks'];
  return names.map((name) => `test/access/${name}.test.ts`);
}

/**
 * The first failure while a file is `code`, or as it is without code; undefined where no test notices. Each time by a new
 * Vitest: one that is used again may hand out a module as it was before.
 */
async function failureWith(file: string, code: string | undefined): Promise<string | undefined> {
  const path = join(room, file);
  let served = false;
  const transform = (_: string, id: string) => {
    if (code === undefined || id !== path) return null;
    served = true;
    return code;
  };
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
      include: testsOf(file),
    },
    { plugins: [{ name: 'mutant', enforce: 'pre', transform }], logLevel: 'silent' },
  );
  try {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(await vitest.globTestSpecifications());
    if (code !== undefined && !served) return undefined;
    if (unhandledErrors.length > 0) return String(unhandledErrors[0]);
    if (testModules.length > 0 && testModules.every((module) => module.ok())) return undefined;
    const [failed] = testModules.flatMap((module) => [...module.children.allTests('failed')]);
    return failed ? `${failed.fullName}: ${failed.result().errors?.[0]?.message}` : 'a test file cannot be loaded';
  } finally {
    await vitest.close();
  }
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
  // Without a mutant no test may fail, or nothing that is found counts; with nonsense one must.
  const failure = await failureWith(file, undefined);
  if (failure !== undefined) throw new Error(`the tests fail without any mutant, mend that first: ${failure}`);
  if ((await failureWith(file, 'throw new Error("not to be loaded");')) === undefined) {
    process.stdout.write(`${file}: no test loads it\n`);
    continue;
  }
  const mutants = mutantsOf(readFileSync(join(room, file), 'utf8'));
  for (const mutant of mutants) {
    count += 1;
    if (isEquivalent(file, mutant)) explained += 1;
    else if ((await failureWith(file, mutant.code)) === undefined) {
      survivors.push(`${file}:${mutant.line}  ${mutant.before}  →  ${mutant.after}`);
      process.stdout.write(`survivor ${survivors.at(-1)}\n`);
    }
  }
  process.stdout.write(`${file}: ${mutants.length} mutants\n`);
}
process.stdout.write(`${count} mutants, ${explained} explained as equivalent, ${survivors.length} survivors\n`);
process.exit(survivors.length === 0 ? 0 : 1);
