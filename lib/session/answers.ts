import type { JsonObject } from '../json.ts';

/** A question to the client of one session; its id is at least 128 random bits, visible ASCII. */
export interface Question {
  sessionId: string;
  id: string;
}

/**
 * Carries a client's answer to the process that asked: the question went out on one request's stream, the answer comes as
 * a request of its own, which on AWS may reach any environment. Memory locally, DynamoDB on AWS.
 */
export interface Answers {
  /** Before the question is sent: from now on its answer is kept, until it is taken or `expiresAt` (epoch milliseconds). */
  open(question: Question, expiresAt: number): Promise<void>;
  /** Waits for the client's JSON-RPC response; the question is forgotten then. Rejects with the signal's reason. */
  take(question: Question, signal: AbortSignal): Promise<JsonObject>;
  /** Keeps a response, the first one; nothing where nobody has asked. */
  leave(question: Question, response: JsonObject): Promise<void>;
}
