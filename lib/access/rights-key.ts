import type { Config } from '../config/schema.ts';
import type { Caller } from './caller.ts';
import { namesGroupOf, namesUser } from './rights.ts';

/**
 * Two callers with equal keys have equal rights to every tool: the key for caches of what may be seen. It lists the ids of
 * the configuration that speak for the caller, so all users without an entry of their own share one.
 */
export function rightsKey(config: Pick<Config, 'upstream' | 'groups'>, caller: Caller): string {
  const { userId } = caller;
  if (userId === undefined) return '';
  const ids = config.upstream.flatMap(({ users, tool_expose }) =>
    [...users, ...tool_expose.flatMap((tool) => tool.users)].map((entry) => entry.id),
  );
  const own = ids.some((id) => namesUser(id, userId, config.groups)) ? [userId] : [];
  const groups = ids.filter((id) => namesGroupOf(id, userId, config.groups)).sort();
  return own.length + groups.length === 0 ? '' : JSON.stringify([own, [...new Set(groups)]]);
}
