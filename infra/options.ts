import { isDeepStrictEqual } from 'node:util';
import { type Config, configSchema } from '../lib/config/schema.ts';
import type { GatewayOptions } from './gateway-stack.ts';

/** How `-c key=value` is read. */
export type Context = (key: string) => unknown;

function choice<T extends string>(context: Context, key: string, values: readonly [T, ...T[]], problems: string[]): T {
  const given = context(key) ?? values[0];
  const found = values.find((value) => value === given);
  if (!found) problems.push(`-c ${key}=${String(given)}: must be one of ${values.join(', ')}`);
  return found ?? values[0];
}

/** What is chosen at synth, what cannot be chosen together, and what has no effect by that choice. */
export function readOptions(
  context: Context,
  config: Config,
): { options: GatewayOptions; problems: string[]; warnings: string[] } {
  const problems: string[] = [];
  const warnings: string[] = [];
  const endpoint = choice(context, 'endpoint', ['rest', 'function-url'], problems);
  const isolation = choice(context, 'isolation', ['shared', 'per-user'], problems);
  const install = choice(context, 'install', ['yes', 'no'], problems) === 'yes';
  if (isolation === 'per-user' && endpoint !== 'rest') {
    problems.push('-c isolation=per-user: needs endpoint=rest; a function URL cannot name a tenant');
  }
  if (isolation === 'per-user' && !config.auth?.require) {
    problems.push('-c isolation=per-user: needs auth.require: true, so that every request has a verified user');
  }
  if (isolation === 'per-user' && config.auth?.invalid_jwt === 'skip') {
    problems.push(
      '-c isolation=per-user: needs auth.invalid_jwt: reject; by a token that nobody checks anybody could enter any environment',
    );
  }
  if (endpoint === 'function-url' && config.deploy.domain) {
    problems.push('-c endpoint=function-url: has no domain of your own; leave out deploy.domain or use endpoint=rest');
  }
  const { throttle } = configSchema.parse({}).deploy;
  if (endpoint === 'function-url' && !isDeepStrictEqual(config.deploy.throttle, throttle)) {
    warnings.push('deploy.throttle: is not used with -c endpoint=function-url; deploy.reserved_concurrency bounds it');
  }
  return { options: { endpoint, isolation, install }, problems, warnings };
}
