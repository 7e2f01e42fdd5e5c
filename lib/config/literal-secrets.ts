import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { findReferences, withoutReferences } from './references.ts';
import type { Findings } from './rules.ts';

/** Names whose values are secrets more often than not. */
const SECRET_NAME = new RegExp(
  [
    'auth|token|secret|password|passwd|pwd|passphrase|credential|cookie|session|signature|bearer',
    '(?:api|access|private|signing|encryption)[-_]?key',
    '(?:^|[-_])(?:key|pat|pass|sig|jwt|dsn|sas)$|^key(?=[-_])',
  ].join('|'),
  'i',
);

/** Values that their form betrays: a scheme with credentials, an address with a password, well-known kinds of tokens. */
const SECRET_FORM = new RegExp(
  [
    '^(?:bearer|basic)\\s+\\S',
    '^[a-z][a-z0-9+.-]*://[^/\\s:@]*:[^/\\s@]+@',
    '-----BEGIN [A-Z ]*PRIVATE KEY',
    '\\b(?:gh[pousr]_\\w{20}|github_pat_\\w{20}|glpat-[\\w-]{16}|sk-[\\w-]{16}|xox[abeprs]-[\\w-]{10}|AKIA[A-Z0-9]{16}|AIza[\\w-]{30})',
    '\\beyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.',
  ].join('|'),
  'i',
);

/** An argument that says what its value is: `--token=…`, `API_KEY=…`, `Authorization: …`. */
const NAMED = /^(-{0,2}[A-Za-z][\w-]*)\s*[=:]\s*(.+)$/s;

const KEEP = 'keep it in ${secret:id} or ${ssm:/path}';
const USE_REFERENCE = `must not be written here: ${KEEP}`;
const LOOKS_SECRET = `looks like a secret: ${KEEP}`;

/** A value that is there and holds no reference. */
function isLiteral(value: unknown): boolean {
  const text = textOf(value);
  return Boolean(text) && findReferences(text ?? '').references.length === 0;
}

/** What is wrong with a value of this name; undefined where it may be written. */
function problemWith(name: string, value: unknown): string | undefined {
  if (!isLiteral(value)) return undefined;
  if (SECRET_NAME.test(name)) return USE_REFERENCE;
  return SECRET_FORM.test(textOf(value) ?? '') ? LOOKS_SECRET : undefined;
}

/** What is wrong with an argument, by its own name or by the flag before it. */
function problemWithArgument(argument: unknown, before: unknown): string | undefined {
  const text = textOf(argument) ?? '';
  const [, name = '', value = ''] = NAMED.exec(text) ?? [];
  const own = problemWith(name, name ? value : text) ?? problemWith('', text);
  const flag = textOf(before) ?? '';
  if (own || text.startsWith('-') || !flag.startsWith('-') || flag.includes('=')) return own;
  return problemWith(flag, text);
}

function checkServer(server: Raw, path: (string | number)[], found: Findings): void {
  const tell = (place: (string | number)[], problem: string | undefined) => {
    if (problem) found.problem([...path, ...place], problem);
  };
  for (const place of ['headers', 'env']) {
    for (const [name, value] of Object.entries(rawOf(server[place]))) tell([place, name], problemWith(name, value));
  }
  const args = Array.isArray(server['args']) ? server['args'] : [];
  for (const [at, argument] of args.entries()) tell(['args', at], problemWithArgument(argument, args[at - 1]));
  const text = withoutReferences(textOf(server['url']) ?? '', '');
  const named = [...(URL.parse(text)?.searchParams ?? [])].filter(([name, value]) => value && SECRET_NAME.test(name));
  for (const [name] of named) tell(['url'], `"${name}" ${USE_REFERENCE}`);
  // A user or password in it is refused everywhere.
  if (named.length === 0 && !URL.parse(text)?.password && SECRET_FORM.test(text)) tell(['url'], LOOKS_SECRET);
}

/** Refuses secrets that stand in the configuration itself, wherever one can: it becomes a part of what is deployed. */
export function checkLiteralSecrets(root: Raw, found: Findings): void {
  const auth = rawOf(root['auth']);
  for (const key of ['jwt_secret', 'user_jwt_secret']) {
    if (isLiteral(auth[key])) found.problem(['auth', key], USE_REFERENCE);
  }
  if (isLiteral(rawOf(auth['mint'])['key'])) found.problem(['auth', 'mint', 'key'], USE_REFERENCE);
  if (URL.parse(textOf(auth['jwks_url']) ?? '')?.password) found.problem(['auth', 'jwks_url'], LOOKS_SECRET);
  for (const [index, server] of listOf(root['upstream']).entries()) checkServer(server, ['upstream', index], found);
}
