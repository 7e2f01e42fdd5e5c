import { IDENTIFIER, identifierOf } from './namespace.ts';
import { listOf, type Raw, textOf } from './raw.ts';
import { withoutReferences } from './references.ts';
import { libraryWarning, reservedBecause } from './reserved-names.ts';
import type { Findings } from './rules.ts';

/** RFC 9110, 5.1: what a header's name may be made of. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Keys that only a process has, and that only an address has. */
const OF_A_PROCESS = ['args', 'env', 'working_dir'];
const OF_AN_ADDRESS = ['headers', 'forward_auth'];

/** RFC 9110, 5.5: line breaks end a header. */
const LINE_BREAK = /[\r\n\0]/;

function checkUrl(url: string, path: (string | number)[], found: Findings): void {
  const sample = withoutReferences(url, 'x');
  if (url !== sample && !/^https?:\/\//.test(sample)) return;
  const parsed = URL.parse(sample);
  if (!parsed) found.problem(path, 'is no URL, e.g. https://example.com/mcp');
  else if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    found.problem(path, `must begin with http:// or https://, not ${parsed.protocol}//`);
  } else if (parsed.username || parsed.password) {
    found.problem(path, 'must not hold a user or password; give them as headers: { Authorization: … }');
  }
}

function checkTransport(server: Raw, path: (string | number)[], found: Findings): void {
  const { transport } = server;
  const url = textOf(server['url']);
  if (transport === 'stdio') {
    if (!textOf(server['command']))
      found.problem([...path, 'command'], 'is required for transport stdio, e.g. command: npx');
    if (url) found.warning([...path, 'url'], 'is not used: the transport is stdio');
  } else if (transport === 'http' || transport === 'sse') {
    if (!url)
      found.problem([...path, 'url'], `is required for transport ${transport}, e.g. url: https://example.com/mcp`);
    if (server['command']) found.warning([...path, 'command'], `is not used: the transport is ${transport}`);
  }
  if (url) checkUrl(url, [...path, 'url'], found);
  for (const name of Object.keys(typeof server['headers'] === 'object' ? (server['headers'] ?? {}) : {})) {
    if (!HEADER_NAME.test(name)) found.problem([...path, 'headers', name], "is no header's name");
    const value = (server['headers'] as Raw)[name];
    if (typeof value === 'string' && LINE_BREAK.test(value.trim())) {
      found.problem([...path, 'headers', name], 'must not hold a line break');
    }
  }
  for (const key of transport === 'stdio' ? OF_AN_ADDRESS : OF_A_PROCESS) {
    if (server[key]) found.warning([...path, key], `is not used: the transport is ${transport}`);
  }
}

/** Users and tools listed twice: which of the two counts would be a guess. */
function checkTwice(entries: Raw[], key: 'id' | 'name', path: (string | number)[], found: Findings): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const value = textOf(entry[key]);
    if (value && seen.has(value)) found.problem([...path, index, key], `"${value}" is already in this list`);
    if (value) seen.add(value);
  }
}

function checkNamespace(server: Raw, path: (string | number)[], taken: Map<string, string>, found: Findings): void {
  const name = textOf(server['name']);
  const alias = textOf(server['alias']);
  if (alias && !IDENTIFIER.test(alias)) {
    found.problem(
      [...path, 'alias'],
      `"${alias}" is no identifier: use letters, digits and _, e.g. "${identifierOf(alias)}"`,
    );
    return;
  }
  const namespace = alias ?? (name === undefined ? undefined : identifierOf(name));
  if (!namespace) return;
  const key = alias ? 'alias' : 'name';
  const reserved = reservedBecause(namespace);
  const help = alias ? 'choose another alias' : 'give the server an alias';
  if (reserved) found.problem([...path, key], `"${namespace}" is ${reserved}: ${help}`);
  const other = taken.get(namespace);
  if (other !== undefined)
    found.problem([...path, key], `the namespace "${namespace}" is already that of ${other}: ${help}`);
  else taken.set(namespace, name === undefined ? 'another server' : `"${name}"`);
  const library = libraryWarning(namespace);
  if (library) found.warning([...path, key], library);
}

/** What the schema cannot say about `upstream`. */
export function checkUpstreams(root: Raw, found: Findings): void {
  const names = new Set<string>();
  const namespaces = new Map<string, string>();
  for (const [index, server] of listOf(root['upstream']).entries()) {
    const path = ['upstream', index];
    const name = textOf(server['name']);
    const twice = name !== undefined && names.has(name);
    if (twice) found.problem([...path, 'name'], `"${name}" is already the name of another server`);
    if (name) names.add(name);
    if (!twice || server['alias']) checkNamespace(server, path, namespaces, found);
    checkTransport(server, path, found);
    const tools = listOf(server['tool_expose']);
    checkTwice(listOf(server['users']), 'id', [...path, 'users'], found);
    checkTwice(tools, 'name', [...path, 'tool_expose'], found);
    for (const [at, tool] of tools.entries()) {
      checkTwice(listOf(tool['users']), 'id', [...path, 'tool_expose', at, 'users'], found);
      if (!tool['expose'] && listOf(tool['users']).length === 0) {
        found.problem([...path, 'tool_expose', at], 'says nothing: give expose or users');
      }
    }
  }
}
