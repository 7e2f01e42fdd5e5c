import type { Language } from '../sandbox/contract.ts';

/** A kept script, or a skill: a record without code. */
export interface CodeRecord {
  name: string;
  description: string;
  language: Language;
  /** Empty for a skill. */
  code: string;
  entry: string;
  instructions: string;
  /** RFC 3339. */
  createdAt: string;
  updatedAt: string;
  runs: number;
  savedBy?: string;
  updatedBy?: string;
  /** Why it no longer runs, with the nearest present function. */
  invalid?: string;
  /** Opaque, changes with every change of the record: for conditional writes. */
  revision: string;
}

/** A record without its bodies. */
export interface CodeSummary extends Omit<CodeRecord, 'code' | 'instructions'> {
  codeLen: number;
  hasCode: boolean;
  hasInstructions: boolean;
  /** For search only: of the instructions, as much as searches compare. */
  instructions: string;
}

/** What a save gives; absent fields keep what the record has, but an entry goes with the code it was given with. */
export interface CodeChange {
  description?: string;
  language?: Language;
  code?: string;
  entry?: string;
  instructions?: string;
  /** Who changes it. */
  user?: string;
}

/** An earlier body of a record. */
export interface CodeVersion {
  version: string;
  savedAt: string;
  codeLen: number;
}

/** Keeps scripts by name within a scope (`shared`, or a user's id). Implementations: a directory; S3 with DynamoDB. */
export interface CodeStore {
  /** The scopes in which something has been kept. */
  scopes(): Promise<string[]>;
  list(scope: string): Promise<CodeSummary[]>;
  get(scope: string, name: string, version?: string): Promise<CodeRecord | undefined>;
  versions(scope: string, name: string): Promise<CodeVersion[]>;
  /** Creates or updates; concurrent saves never mix records. Retries its own conditional writes. */
  save(scope: string, name: string, change: CodeChange, now: number): Promise<CodeRecord>;
  /** Adds one to `runs`, atomically; a success also clears `invalid`. */
  countRun(scope: string, name: string): Promise<void>;
  /** Sets or clears the mark unless the record has changed since `revision`. */
  markInvalid(scope: string, name: string, reason: string | undefined, revision: string): Promise<void>;
  delete(scope: string, name: string): Promise<boolean>;
}
