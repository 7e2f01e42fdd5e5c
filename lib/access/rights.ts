import { GROUP_PREFIX } from '../config/auth-rules.ts';
import type { Config, UpstreamConfig } from '../config/schema.ts';
import type { ToolExposure } from '../tool.ts';
import { ANONYMOUS, type Caller } from './caller.ts';

type Groups = Config['groups'];

/** One entry of a `users` list. */
interface UserEntry<E extends ToolExposure> {
  id: string;
  expose: E;
}

/**
 * What one caller may do with one tool (by its upstream's own name). The most specific level that speaks decides:
 * `tool_expose[].users[id]`, `tool_expose[].expose`, `upstream[].users[id]`, `upstream[].expose` — so a tool hidden by
 * `none` is opened only by its own `users`. Several `tool_expose` entries of one name count as one, in file order.
 */
export function exposureFor(
  upstream: UpstreamConfig,
  originalName: string,
  caller: Caller,
  groups: Groups,
): ToolExposure {
  const tool = upstream.tool_expose.filter((entry) => entry.name === originalName);
  const toolUsers = tool.flatMap((entry) => entry.users);
  return (
    entryOf(toolUsers, caller, groups)?.expose ??
    tool.find((entry) => entry.expose !== undefined)?.expose ??
    entryOf(upstream.users, caller, groups)?.expose ??
    upstream.expose
  );
}

/**
 * Whether a caller may know of a server whose tools have never been listed, so that the configuration alone can tell: not
 * where every tool that `tool_expose` names is closed to them while one is open to somebody. A rule that closes a tool to
 * everybody hides no server.
 */
export function mayKnowOf(upstream: UpstreamConfig, caller: Caller, groups: Groups): boolean {
  const { tool_expose } = upstream;
  const opensTo = (who: Caller) => tool_expose.some(({ name }) => exposureFor(upstream, name, who, groups) !== 'none');
  if (opensTo(caller)) return true;
  const opensToOthers = tool_expose.some(({ users }) => users.some(({ expose }) => expose !== 'none'));
  return !opensToOthers && !opensTo(ANONYMOUS);
}

/** The entry that speaks for a caller: their own id first, else the first in file order that names a group of theirs. */
function entryOf<E extends ToolExposure>(
  entries: readonly UserEntry<E>[],
  caller: Caller,
  groups: Groups,
): UserEntry<E> | undefined {
  const { userId } = caller;
  if (userId === undefined) return undefined;
  return (
    entries.find((entry) => namesUser(entry.id, userId, groups)) ??
    entries.find((entry) => namesGroupOf(entry.id, userId, groups))
  );
}

/** Whether an id of the configuration means this very user. A group's name never does: a user could pick it as an id. */
export function namesUser(id: string, userId: string, groups: Groups): boolean {
  return id === userId && !isGroup(id, groups);
}

/**
 * Whether an id of the configuration, `NAME` or `group:NAME`, names a group with this user in it. Groups hold users' ids
 * only: they do not nest.
 */
export function namesGroupOf(id: string, userId: string, groups: Groups): boolean {
  const members = Object.hasOwn(groups, groupName(id)) ? groups[groupName(id)]! : [];
  return members.includes(userId) && !isGroup(userId, groups);
}

/** Also true of a `group:NAME` that does not exist: a mistyped group is no user. */
function isGroup(id: string, groups: Groups): boolean {
  return id.startsWith(GROUP_PREFIX) || Object.hasOwn(groups, id);
}

function groupName(id: string): string {
  return id.startsWith(GROUP_PREFIX) ? id.slice(GROUP_PREFIX.length) : id;
}
