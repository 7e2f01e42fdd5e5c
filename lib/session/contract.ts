import type { JsonObject } from '../json.ts';

/** A legacy-era client's session; bound to its user, never proof of identity. */
export interface Session {
  /** At least 128 random bits, visible ASCII. */
  id: string;
  userId?: string;
  protocolVersion: string;
  clientName?: string;
  clientVersion?: string;
  capabilities: JsonObject;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
}

/** Keeps sessions: memory locally, DynamoDB on AWS. Expiry is checked by the caller too. */
export interface SessionStore {
  create(session: Session): Promise<void>;
  get(id: string, now: number): Promise<Session | undefined>;
  delete(id: string): Promise<boolean>;
}
