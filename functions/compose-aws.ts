import { randomBytes, randomUUID } from 'node:crypto';
import { createResolver } from '../lib/config/references.ts';
import type { Config } from '../lib/config/schema.ts';
import { createSecretReaders } from '../lib/config/secrets.ts';
import { createTable } from '../lib/dynamodb.ts';
import type { Log } from '../lib/log.ts';
import { createDynamoDbRegistryCache } from '../lib/registry/dynamodb.ts';
import { createDynamoDbSessions } from '../lib/session/dynamodb.ts';
import { createTableAnswers } from '../lib/session/table-answers.ts';
import { createTableKey } from '../lib/session/table-key.ts';
import { createAwsStore } from '../lib/store/dynamodb.ts';
import { createBodyStore } from '../lib/store/s3.ts';
import { createDynamoDbLedger } from '../lib/usage/dynamodb.ts';
import { type Composed, compose } from './compose.ts';

/** The names that the deployment gives by the environment. */
export interface AwsNames {
  TABLE_NAME?: string | undefined;
  BUCKET_NAME?: string | undefined;
}

/** Processes of one stdio server in an environment: it serves one request at a time, in memory that scripts need too. */
const MAX_PROCESSES = 4;

/** Bytes of the key that signs what travels with clients. */
const STATE_KEY_BYTES = 32;

/** Puts the gateway together on the one table and the bucket; nothing of it connects before it is used. */
export function composeAws(config: Config, { TABLE_NAME, BUCKET_NAME }: AwsNames, log: Log): Composed {
  if (!TABLE_NAME || !BUCKET_NAME) throw new Error('TABLE_NAME and BUCKET_NAME must be set');
  const now = Date.now;
  const table = createTable(TABLE_NAME);
  const resolve = createResolver({ env: {}, ...createSecretReaders(now) });
  return compose(config, {
    log,
    resolve,
    cache: createDynamoDbRegistryCache(table, now, randomUUID, log),
    sessions: createDynamoDbSessions(table, log),
    answers: createTableAnswers(table),
    usage: createDynamoDbLedger(table, config.limits.per_user, randomUUID),
    store: createAwsStore(table, createBodyStore(BUCKET_NAME)),
    holdsStreams: false,
    upkeep: 'quiet',
    maxProcesses: MAX_PROCESSES,
    stateKey: createTableKey(table, () => randomBytes(STATE_KEY_BYTES)),
  });
}
