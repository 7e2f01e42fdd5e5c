import type { Config } from '../lib/config/schema.ts';

/**
 * What the functions load at start: checked, every default filled in, references unresolved, without what only the
 * local process or the synth uses. The table's and the bucket's names come by the environment.
 */
export function runtimeConfig(config: Config, upstream: Config['upstream']): string {
  const { deploy: _deploy, ...rest } = config;
  return JSON.stringify({
    ...rest,
    server: { ...rest.server, transport: 'http' },
    log: { level: rest.log.level ?? 'info', file: '' },
    store: { ...rest.store, dir: '' },
    upstream,
  });
}
