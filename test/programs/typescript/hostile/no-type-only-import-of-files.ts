// expect: syntax
import type { Stats } from 'node:fs';
import { statSync } from 'node:fs';
function Run(): Stats {
  return statSync('/etc/passwd');
}
