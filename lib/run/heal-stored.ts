import { ANONYMOUS } from '../access/caller.ts';
import type { Catalogue } from '../registry/contract.ts';
import type { Language } from '../sandbox/contract.ts';
import type { CodeStore, CodeSummary } from '../store/contract.ts';
import type { Tool } from '../tool.ts';
import type { RunServices } from './services.ts';
import { notFound } from './unknown-function.ts';
import { withoutComments } from './without-comments.ts';

/** Scripts of one scope looked through, the newest first; older ones are marked when they next run. */
const MAX_CHECKED = 2000;

/** Scripts read at once. */
const AT_ONCE = 8;

/**
 * Marks the stored scripts that use a function which was there before and is gone now (Part 3, self-healing): only where
 * its server has been listed anew, for one that is merely down takes nothing away. A function that is back takes its mark
 * off. Gives the names it marked; a record that cannot be read or marked harms no other.
 */
export async function healStored(services: RunServices, before: Catalogue, after: Catalogue): Promise<string[]> {
  const { store } = services;
  const { upstream } = services.config;
  const personal = new Set(upstream.filter(({ catalogue }) => catalogue === 'per_user').map(({ name }) => name));
  const gone = missingFrom(after, before).filter(({ server }) => !personal.has(server));
  const back = missingFrom(before, after);
  if (!store || gone.length + back.length === 0) return [];
  const view = services.view(after, ANONYMOUS);
  const marked: string[] = [];

  async function check(store: CodeStore, scope: string, { name, language, invalid, revision }: CodeSummary) {
    if (invalid !== undefined) {
      const returned = back.some((tool) => invalid.includes(`there is no function ${spelledIn(tool, language)}:`));
      if (returned) await store.markInvalid(scope, name, undefined, revision);
      return;
    }
    if (gone.length === 0) return;
    const record = await store.get(scope, name);
    if (!record) return;
    const code = withoutComments(record.code, record.language);
    const used = gone.find((tool) => uses(code, tool, record.language));
    if (!used) return;
    const spelled = spelledIn(used, record.language);
    const [namespace = '', own = ''] = spelled.split('.');
    await store.markInvalid(scope, name, notFound({ namespace, name: own }, spelled, view), record.revision);
    services.log('warn', 'stored code no longer runs', { name, function: spelled });
    marked.push(name);
  }

  for (const scope of await store.scopes()) {
    const scripts = (await store.list(scope)).filter(({ hasCode }) => hasCode).slice(0, MAX_CHECKED);
    const work = async () => {
      for (let next = scripts.shift(); next; next = scripts.shift()) {
        const { name } = next;
        await check(store, scope, next).catch(() => services.log('warn', 'stored code not checked', { name }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return marked;
}

/** Watches the catalogue of a process that lives on, and marks what each change breaks. */
export function watchStored(
  services: RunServices & { onChange(listener: (lists: readonly string[]) => void): () => void },
): void {
  if (!services.store) return;
  let known: Catalogue | undefined;
  let work = Promise.resolve();
  services.onChange((lists) => {
    if (!lists.includes('tools')) return;
    work = work
      .then(async () => {
        const now = await services.catalogue(ANONYMOUS);
        const before = known;
        known = now;
        if (before) await healStored(services, before, now);
      })
      .catch((error: Error) => services.log('error', 'stored code not checked', { error: error.name }));
  });
}

/** The functions of one catalogue that the other has not, of servers the other has listed. */
function missingFrom(catalogue: Catalogue, other: Catalogue): Tool[] {
  const connected = catalogue.servers.filter(({ state }) => state === 'connected');
  const listed = new Set(connected.map(({ namespace }) => namespace));
  const nameOf = ({ namespace, snakeName }: Tool) => `${namespace}.${snakeName}`;
  const present = new Set(catalogue.servers.flatMap(({ tools }) => tools.map(nameOf)));
  return other.servers
    .flatMap(({ tools }) => tools)
    .filter((tool) => listed.has(tool.namespace) && !present.has(nameOf(tool)));
}

function spelledIn({ namespace, snakeName, camelName }: Tool, language: Language): string {
  return `${namespace}.${language === 'go' ? camelName : snakeName}`;
}

/**
 * Whether code, its comments aside, names a function, as far as reading it tells: `os.read_file`, `os?.read_file` or
 * `os["read_file"]`, with whatever space; in Go also by another name of the import.
 */
function uses(code: string, tool: Tool, language: Language): boolean {
  const [namespace = '', own = ''] = spelledIn(tool, language).split('.');
  if (!code.includes(own)) return false;
  // Backwards from the path: forwards every letter of a long word would be tried as its first.
  const imported =
    language === 'go' ? (new RegExp(`(?<=(\\w+)\\s+)"${namespace}"`).exec(code)?.[1] ?? namespace) : namespace;
  const place = imported === 'import' ? namespace : imported;
  const member = `\\s*(?:\\??\\.\\s*${own}(?![\\w$])|(?:\\?\\.)?\\[\\s*["'\`]${own}["'\`]\\s*\\])`;
  return new RegExp(`(?<![\\w$.])${place}${member}`).test(code);
}
