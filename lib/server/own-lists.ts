import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { CatalogueView } from '../registry/contract.ts';
import { proxiesOf } from './list-tools.ts';
import { ownDefinitions } from './own-tools.ts';
import type { ChangedList, ServerServices } from './services.ts';
import { serversWith, sharedPrompts, sharedResources } from './shared-lists.ts';

/** What each list says to one caller, as a digest. */
type Digests = Record<ChangedList, string>;

const KINDS = ['tools', 'resources', 'prompts'] as const satisfies ChangedList[];

/** Callers of equal rights share a view, and there may be thousands of them to be told of one change. */
const known = new WeakMap<CatalogueView, Digests>();

/**
 * Tells of lists that have changed for this caller: a change of what is closed to them is none of their business. Resolves
 * when it listens, to what ends that.
 */
export async function followOwnLists(
  services: ServerServices,
  caller: Caller,
  tell: (lists: readonly ChangedList[]) => void,
): Promise<() => void> {
  const look = (): Promise<Digests | undefined> => digestsFor(services, caller).catch(() => undefined);
  let latest = look();
  let stopped = false;
  const unfollow = services.onChange((lists) => {
    latest = latest.then(async (before) => {
      const now = await look();
      // Where nothing can be compared, better one word too many than a list that stays old.
      const changed = before && now ? KINDS.filter((kind) => before[kind] !== now[kind]) : lists;
      if (!stopped && changed.length > 0) tell(changed);
      return now;
    });
  });
  await latest;
  return () => {
    stopped = true;
    unfollow();
  };
}

async function digestsFor(services: ServerServices, caller: Caller): Promise<Digests> {
  const view = services.view(await services.catalogue(caller), caller);
  const earlier = known.get(view);
  if (earlier) return earlier;
  const resources = serversWith('resources', view, services, caller);
  const functions = view.functions.map(({ namespace, snakeName, definition }) => [namespace, snakeName, definition]);
  const digests: Digests = {
    tools: digest([ownDefinitions(services, view), proxiesOf(view).tools, functions]),
    resources: digest([sharedResources(resources, 'resources'), sharedResources(resources, 'resourceTemplates')]),
    prompts: digest([...sharedPrompts(serversWith('prompts', view, services, caller))]),
  };
  known.set(view, digests);
  return digests;
}

function digest(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex');
}
