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
  /** What the client set by `logging/setLevel`; absent: what is sent is the upstreams' choice. */
  logLevel?: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
}

/** Keeps sessions: memory locally, DynamoDB on AWS. Expiry is checked by the caller too. */
export interface SessionStore {
  create(session: Session): Promise<void>;
  get(id: string, now: number): Promise<Session | undefined>;
  /** False where the session has ended meanwhile: it is not made anew. */
  setLogLevel(id: string, level: string): Promise<boolean>;
  delete(id: string): Promise<boolean>;
}
