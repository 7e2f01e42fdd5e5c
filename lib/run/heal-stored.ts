import { ANONYMOUS } from '../access/caller.ts';
import type { Catalogue } from '../registry/contract.ts';
import type { Tool } from '../tool.ts';
import type { RunServices } from './services.ts';
import { notFound } from './unknown-function.ts';

/** The scope whose scripts are looked through; users' own are marked when they next run. */
const SCOPE = 'shared';

/**
 * Marks the stored scripts that use a function which was there before and is gone now (Part 3, self-healing): only where
 * its server has been listed anew, for one that is merely down takes nothing away. Gives the names it marked.
 */
export async function healStored(services: RunServices, before: Catalogue, after: Catalogue): Promise<string[]> {
  const { store } = services;
  const gone = removedFunctions(before, after);
  if (!store || gone.length === 0) return [];
  const view = services.view(after, ANONYMOUS);
  const marked: string[] = [];
  for (const { name, hasCode, invalid } of await store.list(SCOPE)) {
    if (!hasCode || invalid !== undefined) continue;
    const record = await store.get(SCOPE, name);
    const used = record && gone.find((tool) => uses(record.code, spelledIn(tool, record.language)));
    if (!record || !used) continue;
    const [namespace = '', own = ''] = spelledIn(used, record.language).split('.');
    const reason = notFound({ namespace, name: own }, `${namespace}.${own}`, view);
    await store.markInvalid(SCOPE, name, reason, record.revision);
    services.log('warn', 'stored code no longer runs', { name, function: `${namespace}.${own}` });
    marked.push(name);
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
        if (known) await healStored(services, known, now);
        known = now;
      })
      .catch((error: Error) => services.log('error', 'stored code not checked', { error: error.name }));
  });
}

function removedFunctions(before: Catalogue, after: Catalogue): Tool[] {
  const listed = new Set(after.servers.filter(({ state }) => state === 'connected').map(({ namespace }) => namespace));
  const present = new Set(
    after.servers.flatMap(({ tools }) => tools.map((tool) => `${tool.namespace}.${tool.snakeName}`)),
  );
  return before.servers
    .flatMap(({ tools }) => tools)
    .filter((tool) => listed.has(tool.namespace) && !present.has(`${tool.namespace}.${tool.snakeName}`));
}

function spelledIn({ namespace, snakeName, camelName }: Tool, language: string): string {
  return `${namespace}.${language === 'go' ? camelName : snakeName}`;
}

/** Whether code names a function, as far as reading it tells: `os.read_file`, with whatever space around the dot. */
function uses(code: string, name: string): boolean {
  const pattern = name.split('.').join('\\s*\\.\\s*');
  return new RegExp(`(?<![\\w$.])${pattern}(?![\\w$])`).test(code);
}
