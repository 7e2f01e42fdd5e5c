import { nearest } from '../nearest.ts';
import type { Path } from './keys.ts';
import type { Raw } from './raw.ts';
import { findReferences } from './references.ts';
import type { Findings } from './rules.ts';

/** The places whose users resolve references; `*` is any list item or key. */
const RESOLVED = [
  'upstream.*.command',
  'upstream.*.args.*',
  'upstream.*.env.*',
  'upstream.*.working_dir',
  'upstream.*.url',
  'upstream.*.headers.*',
  'auth.jwt_secret',
  'auth.user_jwt_secret',
  'auth.mint.key',
].map((pattern) => pattern.split('.'));

/** What shells and Compose files read as a variable, and we do not; `$${…}` says that it is meant so. */
const SHELL_VARIABLE = /(?<!\$)\$\{([A-Za-z_]\w*)\}/;

const UNCLOSED = /(?<!\$)\$\{(env|ssm|secret):[^}]*$/;

function resolvedAt(path: Path): boolean {
  return RESOLVED.some(
    (pattern) => pattern.length === path.length && pattern.every((step, i) => step === '*' || step === path[i]),
  );
}

/**
 * Every `${…}` is well formed, stands where it will be resolved, and its variable is set. No `env`: the gateway will run
 * on AWS, where there is no environment to read from.
 */
export function checkReferences(root: Raw, env: Record<string, string | undefined> | undefined, found: Findings): void {
  const walk = (value: unknown, path: (string | number)[]) => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index]);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    } else if (typeof value === 'string' && value.includes('${')) {
      const { references, problems } = findReferences(value);
      for (const problem of problems) found.problem(path, problem);
      if (UNCLOSED.test(value)) found.problem(path, 'a reference begins here that no } ends, e.g. ${env:NAME}');
      const shell = resolvedAt(path) ? SHELL_VARIABLE.exec(value) : null;
      if (shell) {
        found.warning(path, `${shell[0]} is taken as it stands; for an environment variable write \${env:${shell[1]}}`);
      }
      if (references.length > 0 && !resolvedAt(path)) {
        found.problem(path, 'takes no reference; set it here, by its environment variable, or by its flag');
        return;
      }
      for (const { kind, id } of references) {
        if (kind === 'env' && !env) {
          found.problem(
            path,
            `\${env:${id}} is read from this machine's environment; on AWS use \${ssm:/path} or \${secret:id}`,
          );
        } else if (kind === 'env' && env && env[id] === undefined) {
          const set = Object.keys(env).filter((name) => env[name] !== undefined);
          const meant = nearest(id, set);
          const help = meant ? `; did you mean \${env:${meant}}?` : '';
          found.problem(path, `the environment variable ${id} is not set (needed for \${env:${id}})${help}`);
        }
      }
    }
  };
  walk(root, []);
}
