import type { Caller } from '../access/caller.ts';
import type { JsonObject } from '../json.ts';
import type { InboundClient } from '../upstream/contract.ts';
import { wantsMessage } from './log-level.ts';

/** How log messages reach the requests of the modern era that ask for them. */
export interface RequestLogs {
  /** `hear` gets what upstreams log for this user's requests, from a level up, until `stop`. */
  follow(
    caller: Caller,
    level: string,
    hear: (message: JsonObject) => void,
  ): { session: NonNullable<InboundClient['session']>; stop(): void };
}

/**
 * Log messages do not say which request they belong to. So each user has connections of their own for each level, where
 * nobody else's come along, and what comes there goes to those of that user's requests that are under way. Callers
 * without an identity are one crowd here too.
 */
export function createRequestLogs(): RequestLogs {
  const hearers = new Map<string, Set<(message: JsonObject) => void>>();
  return {
    follow({ userId }, level, hear) {
      const id = JSON.stringify(['logs', userId ?? null, level]);
      const hearing = hearers.get(id) ?? new Set();
      hearers.set(id, hearing.add(hear));
      return {
        session: {
          id,
          notify(method, message) {
            if (method !== 'notifications/message' || !wantsMessage(level, message.level)) return;
            for (const tell of hearers.get(id) ?? []) tell(message);
          },
        },
        stop() {
          hearing.delete(hear);
          if (hearing.size === 0 && hearers.get(id) === hearing) hearers.delete(id);
        },
      };
    },
  };
}
