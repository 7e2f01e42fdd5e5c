import type { LoadedConfig } from './load.ts';
import { namespaceOf } from './namespace.ts';
import { withoutReferences } from './references.ts';
import type { Config, UpstreamConfig } from './schema.ts';

const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** A URL without what may be secret: references, user, query. */
function shownUrl(url: string): string {
  const parsed = URL.parse(withoutReferences(url, '***'));
  return parsed ? `${parsed.origin}${parsed.pathname}` : '***';
}

/** Arguments may carry secrets, so a command is shown without them, save the package `npx` is to run. */
function shownCommand({ command = '', args }: UpstreamConfig): string {
  const named = args.find((argument) => !argument.startsWith('-'));
  return command === 'npx' && named && !named.includes('$') ? `npx ${named}` : command;
}

function shownServer(upstream: UpstreamConfig): string {
  const { name, transport, expose, tool_expose, users, headers, env } = upstream;
  const hidden = tool_expose.filter((tool) => tool.expose === 'none').length;
  const rights = users.length + tool_expose.reduce((sum, tool) => sum + tool.users.length, 0);
  const secrets = [...Object.keys(headers), ...Object.keys(env)].map((key) => `${key}: ***`);
  return [
    `  ${namespaceOf(upstream)} (${name})`,
    `${transport} ${transport === 'stdio' ? shownCommand(upstream) : shownUrl(upstream.url ?? '')}`,
    `expose ${expose}`,
    ...(tool_expose.length ? [`${plural(tool_expose.length, 'tool rule')}${hidden ? ` (${hidden} hidden)` : ''}`] : []),
    ...(rights ? [plural(rights, 'user right')] : []),
    ...(secrets.length ? [secrets.join(', ')] : []),
  ].join('; ');
}

function shownAuth({ auth, groups }: Config): string {
  if (!auth) return 'off: every caller is anonymous';
  const keys = (['jwt_secret', 'user_jwt_secret'] as const).filter((key) => auth[key]).map((key) => `${key} ***`);
  return [
    ...keys,
    ...(auth.jwks_url ? [`keys from ${shownUrl(auth.jwks_url)}`] : []),
    `an invalid token is ${auth.invalid_jwt === 'reject' ? 'rejected' : 'SKIPPED'}`,
    auth.require ? 'a token is required' : 'no token: anonymous',
    ...(Object.keys(groups).length ? [plural(Object.keys(groups).length, 'group')] : []),
    ...(auth.admins.length ? [plural(auth.admins.length, 'admin')] : []),
  ].join('; ');
}

function shownStore({ bucket, dir, scope }: Config['store']): string {
  const place = bucket ? `bucket ${bucket}` : dir;
  if (!place) return 'off';
  return `${place}, ${scope === 'user' ? 'a scope for each user' : 'shared by everybody who may run scripts'}`;
}

/** What `--check-config` prints: what would be exposed, and to whom; no secret and no argument of a command. */
export function summarize({ config, file, warnings }: LoadedConfig): string {
  const { server, limits, store, upstream } = config;
  const listens = server.transport === 'stdio' ? 'stdio' : `${server.transport} on ${server.address}`;
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    `configuration: ${file ?? 'defaults and environment only'}`,
    `server: ${server.name} ${server.version}, ${listens}`,
    `auth: ${shownAuth(config)}`,
    `languages: ${config.languages.join(', ')}`,
    `limits: ${limits.max_cpu_time_ms} ms CPU, ${limits.max_memory_bytes} bytes, ${limits.max_tool_calls} calls of ${limits.call_timeout_ms} ms`,
    `store: ${shownStore(store)}`,
    `servers: ${upstream.length}`,
    ...upstream.map(shownServer),
    'the configuration is good',
    '',
  ].join('\n');
}
