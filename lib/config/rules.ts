import { parseAddress } from './address.ts';
import { checkAuth } from './auth-rules.ts';
import { checkDeploy } from './deploy-rules.ts';
import type { Path } from './keys.ts';
import { listOf, type Raw, rawOf, textOf } from './raw.ts';
import { checkReferences } from './reference-rules.ts';
import type { ConfigProblem } from './schema-problems.ts';
import { checkUpstreams } from './upstream-rules.ts';

/** Where the rules write what they find. */
export interface Findings {
  problem(path: Path, message: string): void;
  warning(path: Path, message: string): void;
}

function checkServer(root: Raw, found: Findings): void {
  const server = rawOf(root['server']);
  const address = textOf(server['address']);
  if (address && !parseAddress(address)) {
    found.problem(['server', 'address'], `"${address}" is no address: use HOST:PORT, or :PORT for all interfaces`);
  }
  const origins = Array.isArray(server['allowed_origins']) ? server['allowed_origins'] : [];
  for (const [index, origin] of origins.entries()) {
    if (typeof origin !== 'string' || URL.parse(origin)?.origin === origin) continue;
    const path = ['server', 'allowed_origins', index];
    found.problem(path, 'is no origin: give scheme and host alone, e.g. https://chat.example.com');
  }
  const languages = Array.isArray(root['languages']) ? root['languages'] : [];
  for (const [index, language] of languages.entries()) {
    if (languages.indexOf(language) < index) found.problem(['languages', index], 'is already in this list');
  }
  if (listOf(root['upstream']).length === 0) {
    found.warning(['upstream'], 'no server is named, so there is nothing to call; see config.example.yaml');
  }
}

/**
 * What the schema cannot say. `root` need not have passed the schema: every mistake is told at once.
 * `env` is only asked whether a referenced variable is set, and how long a secret is.
 */
export function checkRules(
  root: Raw,
  env: Record<string, string | undefined>,
  target: 'local' | 'aws' = 'local',
): { problems: ConfigProblem[]; warnings: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const found: Findings = {
    problem: (path, message) => problems.push({ path, message }),
    warning: (path, message) => warnings.push({ path, message }),
  };
  checkServer(root, found);
  checkAuth(root, env, target, found);
  checkUpstreams(root, found);
  checkReferences(root, target === 'local' ? env : undefined, found);
  if (target === 'aws') checkDeploy(root, found);
  return { problems, warnings };
}
