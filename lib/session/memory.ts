import type { Session, SessionStore } from './contract.ts';

/** Sessions kept at most; the oldest goes when one more comes. */
const MAX_SESSIONS = 10_000;

/** Sessions of one process. */
export function createMemorySessions(): SessionStore {
  const sessions = new Map<string, Session>();
  return {
    async create(session) {
      sessions.set(session.id, session);
      if (sessions.size > MAX_SESSIONS) sessions.delete(sessions.keys().next().value!);
    },
    async get(id, now) {
      const session = sessions.get(id);
      if (session && session.expiresAt <= now) {
        sessions.delete(id);
        return undefined;
      }
      return session;
    },
    async delete(id) {
      return sessions.delete(id);
    },
  };
}
