import { checkLiteralSecrets } from './literal-secrets.ts';
import { npxPackage } from './npx-package.ts';
import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { withoutReferences } from './references.ts';
import type { Findings } from './rules.ts';
import { checkEffect } from './without-effect.ts';

/** What the gateway takes beside the memory of a script; with the default for scripts, the schema's minimum. */
const OWN_MEMORY_MB = 192;

/** The same where Go's interpreter is among it. */
const OWN_MEMORY_WITH_GO_MB = 448;

/** A server started by a command; those of the protocol's makers take so much. */
const SERVER_MEMORY_MB = 80;

const DEFAULTS = { memoryMb: 1024, scriptBytes: 64 * 1024 * 1024 };
const BYTES_PER_MB = 1024 * 1024;

/** A refresh ends after five minutes, and what it could not list by then is not even marked. */
const MAX_CONNECT_S = 240;

const LOOPBACK = /^((.*\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/;
const PRIVATE = /^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[f[cd][0-9a-f:]+\])$/;

/** An address that the functions are to reach: not themselves, and not in the clear. */
function checkAddress(text: unknown, path: (string | number)[], found: Findings): void {
  const url = URL.parse(withoutReferences(textOf(text) ?? '', 'x'));
  if (!url) return;
  if (LOOPBACK.test(url.hostname)) {
    found.problem(path, `${url.hostname} would be the function itself on AWS: give an address it can reach`);
  } else if (PRIVATE.test(url.hostname)) {
    found.warning(
      path,
      'is a private address, which the functions cannot reach unless you attach them to your network',
    );
  } else if (url.protocol === 'http:') {
    found.problem(path, 'would cross the internet in the clear: use https://');
  }
}

function checkUpstream(server: Raw, path: (string | number)[], found: Findings): void {
  if (Number(server['connect_timeout_s']) > MAX_CONNECT_S) {
    const problem = `must be at most ${MAX_CONNECT_S} on AWS: a refresh of the lists ends after five minutes`;
    found.problem([...path, 'connect_timeout_s'], problem);
  }
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
    if (server['working_dir']) {
      found.warning([...path, 'working_dir'], 'is not used on AWS: servers start in /tmp');
    }
    return;
  }
  checkAddress(server['url'], [...path, 'url'], found);
}

function checkMemory(root: Raw, found: Findings): void {
  const languages = Array.isArray(root['languages']) ? root['languages'] : ['go'];
  const scripts = rawOf(root['limits'])['max_memory_bytes'] ?? DEFAULTS.scriptBytes;
  const memory = rawOf(root['deploy'])['memory_mb'] ?? DEFAULTS.memoryMb;
  if (typeof scripts !== 'number' || typeof memory !== 'number') return;
  const scriptsMb = Math.ceil(scripts / BYTES_PER_MB);
  const go = languages.includes('go');
  const needed = (go ? OWN_MEMORY_WITH_GO_MB : OWN_MEMORY_MB) + scriptsMb;
  const path = ['deploy', 'memory_mb'];
  if (memory >= needed) {
    const servers = listOf(root['upstream']).filter(({ transport }) => transport === 'stdio').length;
    const whole = needed + SERVER_MEMORY_MB * servers;
    const each = `${servers} servers started by a command take some ${SERVER_MEMORY_MB} MB each`;
    if (memory < whole) found.warning(path, `${each} beside the ${needed} that scripts need: give ${whole}`);
    return;
  }
  if (scripts > DEFAULTS.scriptBytes) {
    found.problem(
      path,
      `with limits.max_memory_bytes at ${scriptsMb} MB at least ${needed} are needed: raise it, or lower that`,
    );
  } else if (go) found.problem(path, `Go needs at least ${needed}: raise it, or leave go out of languages`);
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
  checkAddress(auth['jwks_url'], ['auth', 'jwks_url'], found);
  checkMemory(root, found);
  checkEffect(root, found);
  checkLiteralSecrets(root, found);
  for (const [index, server] of listOf(root['upstream']).entries()) checkUpstream(server, ['upstream', index], found);
}
