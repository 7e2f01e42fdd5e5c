/** What is counted per user. */
export type UsageKind = 'execution' | 'tool_call';

/** The answer when a user has used up a limit. */
export interface QuotaExceeded {
  /** The configuration key, e.g. `executions_per_minute`. */
  limit: string;
  allowed: number;
  /** Milliseconds since the epoch when it opens again. */
  resetsAt: number;
}

/** Counts use per user, atomically: memory locally, DynamoDB on AWS. */
export interface UsageLedger {
  /** Takes one from every limit of this kind, or takes nothing and says which is used up. */
  consume(userId: string | undefined, kind: UsageKind, now: number): Promise<QuotaExceeded | undefined>;
}
