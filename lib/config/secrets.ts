import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SSMClient } from '@aws-sdk/client-ssm';
import { AWS_PATIENCE } from '../aws-patience.ts';
import { CodeModeError } from '../errors.ts';

/** A rotated secret is known within this time. */
const CACHE_MS = 5 * 60_000;

/** Reads each key once in a while, and once for all who ask at the same time; an old value outlives a failed reading. */
function cached(kind: string, read: (key: string) => Promise<string | undefined>, now: () => number) {
  const values = new Map<string, { value: string; readAt: number }>();
  const pending = new Map<string, Promise<string>>();

  const readNow = async (key: string): Promise<string> => {
    let cause: unknown;
    try {
      const value = await read(key);
      if (value !== undefined) {
        values.set(key, { value, readAt: now() });
        return value;
      }
    } catch (error) {
      cause = error;
    }
    const old = values.get(key);
    if (old) return old.value;
    const why = cause instanceof Error ? cause.name : 'it holds no text';
    throw new CodeModeError(
      'internal',
      `the ${kind} "${key}" cannot be read (${why}); check that it exists and may be read`,
    );
  };

  return async (key: string): Promise<string> => {
    const known = values.get(key);
    if (known && now() - known.readAt < CACHE_MS) return known.value;
    const running = pending.get(key) ?? readNow(key).finally(() => pending.delete(key));
    pending.set(key, running);
    return running;
  };
}

/** Readers for `${ssm:…}` and `${secret:…}`, cached for five minutes; clients are loaded when first needed. */
export function createSecretReaders(now: () => number): {
  readParameter: (name: string) => Promise<string>;
  readSecret: (id: string) => Promise<string>;
} {
  let parameters: SSMClient | undefined;
  let secrets: SecretsManagerClient | undefined;
  return {
    readParameter: cached(
      'parameter',
      async (name) => {
        const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm');
        parameters ??= new SSMClient({ requestHandler: AWS_PATIENCE });
        const answer = await parameters.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
        return answer.Parameter?.Value;
      },
      now,
    ),
    readSecret: cached(
      'secret',
      async (id) => {
        const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
        secrets ??= new SecretsManagerClient({ requestHandler: AWS_PATIENCE });
        return (await secrets.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
      },
      now,
    ),
  };
}
