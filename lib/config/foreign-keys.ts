import type { Path } from './keys.ts';
import { rawOf } from './raw.ts';

/** Keys under which other tools' configurations list their servers. */
const SERVER_MAPS = new Set(['mcpServers', 'mcp_servers', 'servers', 'context_servers', 'mcp']);

/** Keys of one server in other tools' configurations, and what they are here. */
const OF_A_SERVER: Record<string, string> = {
  type: 'here it is "transport": stdio, http or sse',
  cwd: 'here it is "working_dir"',
  environment: 'here it is "env"',
  serverUrl: 'here it is "url"',
  httpUrl: 'here it is "url", with transport: http',
  endpoint: 'here it is "url"',
  http_headers: 'here it is "headers"',
  requestInit: 'here its headers stand under "headers"',
  bearer_token_env_var: 'here it is headers: { Authorization: "Bearer ${env:NAME}" }',
  timeout: 'here it is "connect_timeout_s", in seconds; calls are bounded by limits.call_timeout_ms',
  disabled: 'leave the server out instead',
  enabled: 'leave the server out instead',
  allowedTools: 'here "tool_expose" says what is open',
  includeTools: 'here "tool_expose" says what is open',
  excludeTools: 'here it is tool_expose: [{ name: TOOL, expose: none }]',
};

/** What a key of another tool's configuration is called here; undefined where it is none we know. */
export function foreignKey(path: Path, value: unknown): string | undefined {
  const key = String(path.at(-1));
  if (path.length === 1 && SERVER_MAPS.has(key)) {
    return `unknown key; servers are a list here: write "upstream:" with one entry for each, ${entryOf(key === 'mcp' ? rawOf(value)['servers'] : value)}`;
  }
  if (path.length === 3 && path[0] === 'upstream' && Object.hasOwn(OF_A_SERVER, key)) {
    return `unknown key; ${OF_A_SERVER[key]}`;
  }
  return undefined;
}

/** The first server of such a map as an entry of ours; values are not repeated, they may hold secrets. */
function entryOf(servers: unknown): string {
  const [name, server] = Object.entries(rawOf(servers))[0] ?? [];
  const overHttp = 'url' in rawOf(server) && !('command' in rawOf(server));
  const rest = overHttp ? 'transport: http, url: …' : 'transport: stdio, command: …, args: […]';
  return `e.g. "- { name: ${name ?? 'NAME'}, ${rest} }"`;
}
