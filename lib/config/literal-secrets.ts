import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { findReferences, withoutReferences } from './references.ts';
import type { Findings } from './rules.ts';

/** Stands where a reference was. */
const HOLE = '\uFFFC';

/** Names whose values are secrets more often than not. */
const SECRET_NAME = new RegExp(
  [
    'auth|token|secret|password|passwd|pwd|passphrase|credential|cookie|session|signature|bearer',
    '(?:api|access|private|signing|encryption|subscription|functions?)[-_]?key',
    '(?:^|[-_])(?:key|pat|pass|sig|jwt|dsn|sas)$|^key(?=[-_])',
  ].join('|'),
  'i',
);

/** A parameter that is a key to some, and a language or a country to others: a key is long, or has digits. */
const CODE_NAME = /^code$/i;
const CODE_VALUE = /^(?:.{16,}|(?=.*\d).{6,})$/s;

/** A flag that is a password to some; to others a port or a path. */
const PASSWORD_FLAG = /^-p$/;
const PORT_OR_PATH = /^\d{1,5}$|^\.|[/\\]/;

/** Values that their form betrays: a scheme with credentials, an address with a password, well-known kinds of tokens. */
const SECRET_FORM = new RegExp(
  [
    // A reference may follow what says the kind of a key: `Bearer sk-${…}`.
    `^(?:bearer|basic)\\s+(?!\\w{1,8}[-_]${HOLE})[^\\s${HOLE}]`,
    `^[a-z][a-z0-9+.-]*://[^/\\s:@]*:[^/\\s@]*[^/\\s@${HOLE}][^/\\s@]*@`,
    '-----BEGIN [A-Z ]*PRIVATE KEY',
    '\\b(?:gh[pousr]_\\w{20}|github_pat_\\w{20}|glpat-[\\w-]{16}|sk-[\\w-]{16}|xox[abeprs]-[\\w-]{10}|AKIA[A-Z0-9]{16}|AIza[\\w-]{30})',
    '\\beyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.',
  ].join('|'),
  'i',
);

/** Letters and digits as no word mixes them: what beside a reference, under a secret's name, is a part of the secret. */
const TOKEN_RUN = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d+[A-Za-z]+\d)[A-Za-z0-9]{16,}/;

/** The host of an address. */
const HOST = /@[^/?#\s]*|:\/\/[^/?#\s@]*(?=[/?#\s]|$)/g;

/** An address with a query, which may begin with a reference. */
const WITH_QUERY = new RegExp(`^(?:[a-z][a-z0-9+.-]*://|${HOLE})[^?#]*\\?([^#]*)`, 'i');

/** An argument that says what its value is: `--token=…`, `API_KEY=…`, `Authorization: …`. */
const NAMED = /^(-{0,2}[A-Za-z][\w-]*)\s*[=:]\s*(.+)$/s;

const KEEP = 'keep it in ${secret:id} or ${ssm:/path}';
const USE_REFERENCE = `must not be written here: ${KEEP}`;
const LOOKS_SECRET = `looks like a secret: ${KEEP}`;

/** The parameters of an address that hold a secret, or a part of one, as a problem; undefined where there are none. */
function problemWithQuery(text: string): string | undefined {
  const parameters = [...new URLSearchParams(WITH_QUERY.exec(text)?.[1] ?? '')];
  const secret = parameters.filter(([name, value]) => {
    const literal = value.replaceAll(HOLE, '');
    return literal !== '' && (SECRET_NAME.test(name) || (CODE_NAME.test(name) && CODE_VALUE.test(literal)));
  });
  if (secret.length === 0) return undefined;
  return `${secret.map(([name]) => `"${name}"`).join(', ')} ${USE_REFERENCE}`;
}

/** What is wrong with a value of this name; undefined where it may be written. */
function problemWith(name: string, value: unknown): string | undefined {
  const text = textOf(value);
  if (!text) return undefined;
  const secretName = SECRET_NAME.test(name);
  const referring = findReferences(text).references.length > 0;
  if (secretName && !referring) return USE_REFERENCE;
  const shown = withoutReferences(text, HOLE);
  if (PASSWORD_FLAG.test(name) && !referring && !PORT_OR_PATH.test(text)) return LOOKS_SECRET;
  if (SECRET_FORM.test(shown)) return LOOKS_SECRET;
  const query = problemWithQuery(shown);
  if (query) return query;
  return secretName && TOKEN_RUN.test(shown.replaceAll(HOST, ' ')) ? LOOKS_SECRET : undefined;
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
  const url = textOf(server['url']) ?? '';
  const text = withoutReferences(url, HOLE);
  // A user or password in it is refused everywhere.
  const form = !URL.parse(withoutReferences(url, 'x'))?.password && SECRET_FORM.test(text) ? LOOKS_SECRET : undefined;
  tell(['url'], problemWithQuery(text) ?? form);
}

/** Refuses secrets that stand in the configuration itself, wherever one can: it becomes a part of what is deployed. */
export function checkLiteralSecrets(root: Raw, found: Findings): void {
  const auth = rawOf(root['auth']);
  for (const key of ['jwt_secret', 'user_jwt_secret']) {
    const problem = problemWith('secret', auth[key]);
    if (problem) found.problem(['auth', key], problem);
  }
  const key = problemWith('key', rawOf(auth['mint'])['key']);
  if (key) found.problem(['auth', 'mint', 'key'], key);
  if (URL.parse(textOf(auth['jwks_url']) ?? '')?.password) found.problem(['auth', 'jwks_url'], LOOKS_SECRET);
  for (const [index, server] of listOf(root['upstream']).entries()) checkServer(server, ['upstream', index], found);
}
