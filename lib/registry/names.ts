import { createHash } from 'node:crypto';

/** Characters of a direct tool's name: 64 at some clients, less what they put before it (DESIGN, "Names"). */
export const MAX_DIRECT_NAME = 56;

/** Hexadecimal digits of the hash that tells names apart. */
const HASH_DIGITS = 8;

/** Reserved words of JavaScript, TypeScript and Lua, and what every JavaScript object already has. */
const RESERVED = new Set(
  (
    'and arguments as async await break case catch class const constructor continue debugger default delete do else elseif ' +
    'end enum eval export extends false finally for function goto if implements import in instanceof interface let local ' +
    'namespace new nil not null of or package private protected prototype public repeat return static super switch then ' +
    'this throw true try type typeof undefined until var void while with yield'
  ).split(' '),
);

/** The names of one tool. */
export interface ToolNames {
  snakeName: string;
  camelName: string;
  directName: string;
}

/** Names of tools: `names` by the tool's place in the list given, undefined where it could not be named, and why. */
export interface NamedTools {
  names: (ToolNames | undefined)[];
  warnings: { tool: string; text: string }[];
}

/**
 * Names one server's tools. Where cleaning makes names equal, the tool that had the name from the start keeps it and the
 * others get 8 hex digits of SHA-256(namespace, original name); what is still not unique is not named and is reported.
 */
export function nameTools(namespace: string, originals: readonly string[]): NamedTools {
  const warnings: NamedTools['warnings'] = [];
  const listed = new Set<string>();
  const names = originals.map((original) => {
    if (!listed.has(original)) return listed.add(original) && { original, digest: hash(namespace, original) };
    warnings.push({ tool: original, text: `The tool "${original}" is listed more than once; the first is used.` });
    return undefined;
  });
  const tools = names.filter((tool) => tool !== undefined);
  const snake = unique(tools, ({ original, digest }) => reserved(snakeOf(original) || `tool_${digest}`));
  const camel = unique(tools, ({ original, digest }) => camelOf(original) || `Tool${digest}`);
  const direct = unique(tools, ({ original, digest }) => directOf(namespace, original, digest), cut, `${namespace}__`);
  const resolved = names.map((tool): ToolNames | undefined => {
    if (!tool) return undefined;
    const [snakeName, camelName, directName] = [snake, camel, direct].map((kind) => kind.get(tool.original));
    if (snakeName !== undefined && camelName !== undefined && directName !== undefined) {
      return { snakeName, camelName, directName };
    }
    const text = `The tool "${tool.original}" is not offered: its name cannot be told from another tool's.`;
    warnings.push({ tool: tool.original, text });
    return undefined;
  });
  return { names: resolved, warnings };
}

interface Original {
  original: string;
  digest: string;
}

/** Names by original name, each once. */
function unique(
  tools: readonly Original[],
  plainOf: (tool: Original) => string,
  withHash = (plain: string, digest: string) => `${plain}_${digest}`,
  prefix = '',
): Map<string, string> {
  const plain = tools.map(plainOf);
  const count = counts(plain);
  const chosen = tools.map((tool, i) => {
    const name = plain[i]!;
    const keeps = count.get(name) === 1 || name === prefix + tool.original;
    return keeps ? name : withHash(name, tool.digest);
  });
  const chosenCount = counts(chosen);
  const found = new Map<string, string>();
  tools.forEach(({ original }, i) => {
    if (chosenCount.get(chosen[i]!) === 1) found.set(original, chosen[i]!);
  });
  return found;
}

/** `getHTTPUser-v2` → `get_http_user_v2`. */
function snakeOf(original: string): string {
  return identifier(wordsOf(original).join('_').toLowerCase());
}

/** `read_file` → `ReadFile`; Go exports only what begins with a capital letter. */
function camelOf(original: string): string {
  const camel = wordsOf(original)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
  return /^[0-9]/.test(camel) ? `X${camel}` : camel;
}

function wordsOf(original: string): string[] {
  return original
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

function directOf(namespace: string, original: string, digest: string): string {
  const cleaned = original.replace(/[^A-Za-z0-9_-]+/g, '_');
  const name = `${namespace}__${/[A-Za-z0-9]/.test(cleaned) ? cleaned : `tool_${digest}`}`;
  return name.length <= MAX_DIRECT_NAME ? name : cut(name, digest);
}

/** A direct name told apart from another server's equal one. */
export function distinctDirectName(directName: string, namespace: string, original: string): string {
  return cut(directName, hash(namespace, original));
}

function cut(name: string, digest: string): string {
  if (name.length <= MAX_DIRECT_NAME && name.endsWith(`_${digest}`)) return name;
  return `${name.slice(0, MAX_DIRECT_NAME - HASH_DIGITS - 1)}_${digest}`;
}

function identifier(text: string): string {
  return /^[0-9]/.test(text) ? `_${text}` : text;
}

function reserved(name: string): string {
  return RESERVED.has(name) ? `${name}_` : name;
}

function hash(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, HASH_DIGITS);
}

function counts(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}
