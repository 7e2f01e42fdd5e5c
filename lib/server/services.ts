import type { RunServices } from '../run/services.ts';
import type { Answers } from '../session/answers.ts';
import type { SessionStore } from '../session/contract.ts';

/** Which of our lists changed. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** What the gateway needs; put together by `functions/compose.ts`. */
export interface ServerServices extends RunServices {
  sessions: SessionStore;
  answers: Answers;
  /** Whether open streams may be held: true in the local process, false where each second is paid. */
  holdsStreams: boolean;
  /** Tells when what clients may list has changed; returns the function that stops the telling. */
  onChange(listener: (lists: readonly ChangedList[]) => void): () => void;
  /** The key that signs what travels with clients between their requests; every process that may get them has the same. */
  stateKey(): Promise<Uint8Array>;
  /** A fresh id with at least 128 random bits, visible ASCII. */
  randomId(): string;
}
