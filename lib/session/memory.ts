import type { Session, SessionStore } from './contract.ts';

/** Sessions kept at most. When one more comes, the oldest of whoever has most goes: nobody can crowd out the others. */
const MAX_SESSIONS = 10_000;

/** Sessions of one process. */
export function createMemorySessions(): SessionStore {
  const sessions = new Map<string, Session>();
  /** Ids by user, oldest first; callers without an identity are one crowd. */
  const owned = new Map<string | undefined, Set<string>>();

  function remove(id: string): boolean {
    const userId = sessions.get(id)?.userId;
    const own = owned.get(userId);
    own?.delete(id);
    if (own?.size === 0) owned.delete(userId);
    return sessions.delete(id);
  }

  function oldestOfTheMost(): string {
    let most = new Set<string>();
    for (const own of owned.values()) if (own.size > most.size) most = own;
    return most.values().next().value!;
  }

  return {
    async create(session) {
      const { id, userId } = session;
      sessions.set(id, session);
      owned.set(userId, (owned.get(userId) ?? new Set()).add(id));
      if (sessions.size > MAX_SESSIONS) remove(oldestOfTheMost());
    },
    async get(id, now) {
      const session = sessions.get(id);
      if (session && session.expiresAt <= now) {
        remove(id);
        return undefined;
      }
      return session;
    },
    async setLogLevel(id, level) {
      const session = sessions.get(id);
      if (session) sessions.set(id, { ...session, logLevel: level });
      return session !== undefined;
    },
    async delete(id) {
      return remove(id);
    },
  };
}
