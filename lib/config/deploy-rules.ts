import { npxPackage } from './npx-package.ts';
import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { findReferences, withoutReferences } from './references.ts';
import type { Findings } from './rules.ts';

/** Names whose values are secrets more often than not. */
const SECRET_NAME =
  /auth|token|secret|password|passwd|pwd|credential|cookie|session|signature|api[-_]?key|\bkey$|^key\b/i;

/** The Go interpreter with the gateway around it; JavaScript and Lua are content with the schema's minimum. */
const GO_MEMORY_MB = 512;

const USE_REFERENCE = 'must not be written here: keep it in ${secret:id} or ${ssm:/path}';

/** A value that is there and holds no reference. */
function isLiteral(value: unknown): boolean {
  const text = textOf(value);
  return Boolean(text) && findReferences(text ?? '').references.length === 0;
}

function checkSecrets(root: Raw, found: Findings): void {
  const auth = rawOf(root['auth']);
  for (const key of ['jwt_secret', 'user_jwt_secret']) {
    if (isLiteral(auth[key])) found.problem(['auth', key], USE_REFERENCE);
  }
  if (isLiteral(rawOf(auth['mint'])['key'])) found.problem(['auth', 'mint', 'key'], USE_REFERENCE);
  for (const [index, server] of listOf(root['upstream']).entries()) {
    for (const place of ['headers', 'env']) {
      for (const [name, value] of Object.entries(rawOf(server[place]))) {
        if (SECRET_NAME.test(name) && isLiteral(value)) found.problem(['upstream', index, place, name], USE_REFERENCE);
      }
    }
    const args = Array.isArray(server['args']) ? server['args'] : [];
    for (const [at, argument] of args.entries()) {
      const [flag = '', value] = String(argument).split('=', 2);
      const next = value ?? (String(args[at + 1] ?? '').startsWith('-') ? undefined : args[at + 1]);
      if (!flag.startsWith('-') || !SECRET_NAME.test(flag) || !isLiteral(next)) continue;
      found.problem(['upstream', index, 'args', value === undefined ? at + 1 : at], USE_REFERENCE);
    }
    const url = URL.parse(withoutReferences(textOf(server['url']) ?? '', ''));
    for (const [name, value] of url?.searchParams ?? []) {
      if (SECRET_NAME.test(name) && value) found.problem(['upstream', index, 'url'], `"${name}" ${USE_REFERENCE}`);
    }
  }
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::\])$/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd])/;

function checkUpstream(server: Raw, path: (string | number)[], found: Findings): void {
  if (server['transport'] === 'stdio') {
    const command = textOf(server['command']);
    if (command && command !== 'npx') {
      found.problem(
        [...path, 'command'],
        'cannot run on AWS: only npx with a pinned package can, or a server reached by url',
      );
    } else if (command) {
      const read = npxPackage(Array.isArray(server['args']) ? server['args'].map(String) : []);
      if ('problem' in read) found.problem([...path, server['args'] ? 'args' : 'command'], read.problem);
    }
    return;
  }
  const url = URL.parse(withoutReferences(textOf(server['url']) ?? '', 'x'));
  if (!url) return;
  if (LOOPBACK.test(url.hostname)) {
    found.problem(
      [...path, 'url'],
      `${url.hostname} would be the function itself on AWS: give an address it can reach`,
    );
  } else if (url.protocol === 'http:' && !PRIVATE.test(url.hostname)) {
    found.problem([...path, 'url'], 'would cross the internet in the clear: use https://');
  }
}

/** What must not be deployed: closed unless opened on purpose, no secrets in templates, nothing that cannot work on AWS. */
export function checkDeploy(root: Raw, found: Findings): void {
  const auth = rawOf(root['auth']);
  const deploy = rawOf(root['deploy']);
  if (auth['require'] !== true && deploy['public'] !== true) {
    const path = root['auth'] === undefined ? ['deploy', 'public'] : ['auth', 'require'];
    found.problem(
      path,
      'anybody could use the public URL: set auth.require: true (or deploy.public: true if that is meant)',
    );
  }
  if (auth['invalid_jwt'] === 'skip' && auth['allow_unverified'] !== true) {
    found.problem(
      ['auth', 'invalid_jwt'],
      'skip lets anybody be any user: use reject (or set auth.allow_unverified: true)',
    );
  }
  const languages = Array.isArray(root['languages']) ? root['languages'] : ['go'];
  const memory = deploy['memory_mb'];
  if (languages.includes('go') && typeof memory === 'number' && memory < GO_MEMORY_MB) {
    found.problem(['deploy', 'memory_mb'], `Go needs at least ${GO_MEMORY_MB}: raise it, or leave go out of languages`);
  }
  if (rawOf(root['store'])['dir']) found.warning(['store', 'dir'], 'is not used on AWS: code is kept in a bucket');
  if (rawOf(root['log'])['file']) found.warning(['log', 'file'], 'is not used on AWS: logs go to CloudWatch');
  checkSecrets(root, found);
  for (const [index, server] of listOf(root['upstream']).entries()) checkUpstream(server, ['upstream', index], found);
}
