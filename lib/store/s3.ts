import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { AWS_PATIENCE } from '../aws-patience.ts';
import { CodeModeError } from '../errors.ts';
import { scopeKey } from './scope-key.ts';

/** Texts of records by the hash of what they say: a body is written once and never changed, so a pointer to it cannot go wrong. */
export interface BodyStore {
  /** Writes a body unless it is there; answers its key. */
  put(scope: string, name: string, code: string): Promise<string>;
  /** Undefined where there is none; throws `internal` where the bytes are not those the key promises. */
  get(key: string): Promise<string | undefined>;
  /** Removes every body of a record. */
  deleteAll(scope: string, name: string): Promise<void>;
}

/** How often a put is tried that S3 answers with "somebody is writing this very key". */
const PUT_ATTEMPTS = 4;

/** How often a body is read whose answer breaks off. */
const READ_ATTEMPTS = 3;

/** Bodies in this bucket; region and credentials come from the environment. S3's client is loaded when first needed. */
export function createBodyStore(bucket: string): BodyStore {
  let opened: Promise<[typeof import('@aws-sdk/client-s3'), S3Client]> | undefined;
  async function open(): Promise<[typeof import('@aws-sdk/client-s3'), S3Client]> {
    const sdk = await import('@aws-sdk/client-s3');
    return [sdk, new sdk.S3Client({ requestHandler: AWS_PATIENCE })];
  }
  /** Runs one command; `expected` names the errors that are answers and not failures. */
  async function attempt<T>(
    work: (sdk: typeof import('@aws-sdk/client-s3'), client: S3Client) => Promise<T>,
    expected: readonly string[] = [],
  ): Promise<T | string> {
    opened ??= open();
    const [sdk, client] = await opened;
    try {
      return await work(sdk, client);
    } catch (error) {
      if (error instanceof Error && expected.includes(error.name)) return error.name;
      const message = 'The code storage of this gateway does not answer at the moment; try again shortly.';
      throw new CodeModeError('internal', message, { cause: error });
    }
  }

  return {
    async put(scope, name, code) {
      const Key = `${prefixOf(scope, name)}${hashOf(code)}`;
      const input = { Bucket: bucket, Key, Body: code, ContentType: 'text/plain; charset=utf-8', IfNoneMatch: '*' };
      for (let turn = 1; ; turn += 1) {
        const expected = ['PreconditionFailed', ...(turn < PUT_ATTEMPTS ? ['ConditionalRequestConflict'] : [])];
        const answer = await attempt((sdk, client) => client.send(new sdk.PutObjectCommand(input)), expected);
        if (answer !== 'ConditionalRequestConflict') return Key;
      }
    },

    async get(key) {
      const bytes = await attempt((sdk, client) => readWhole(sdk, client, bucket, key), ['NoSuchKey']);
      if (typeof bytes === 'string') return undefined;
      const code = Buffer.from(bytes).toString('utf8');
      if (key.endsWith(`/${hashOf(code)}`)) return code;
      throw new CodeModeError('internal', 'The stored code has been damaged: save it again.');
    },

    async deleteAll(scope, name) {
      await attempt(async (sdk, client) => {
        const Prefix = prefixOf(scope, name);
        for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix })) {
          const keys = (page.Contents ?? []).map((object) => object.Key);
          await Promise.all(keys.map((Key) => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }))));
        }
      });
    },
  };
}

/** The SDK's own attempts end when an answer begins: one that breaks off is asked for anew here. */
async function readWhole(
  sdk: typeof import('@aws-sdk/client-s3'),
  client: S3Client,
  bucket: string,
  key: string,
): Promise<Uint8Array> {
  for (let turn = 1; ; turn += 1) {
    const answer = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
    try {
      return await answer.Body!.transformToByteArray();
    } catch (error) {
      if (turn === READ_ATTEMPTS) throw error;
    }
  }
}

function prefixOf(scope: string, name: string): string {
  return `code/${scopeKey(scope)}/${name}/`;
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
