import { listOf, type Raw, rawOf } from './raw.ts';
import type { Findings } from './rules.ts';

/** What Lambda takes for one invocation, bytes: API Gateway would let 10 MB through, and hands them on to it. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Where Lambda and API Gateway end every request. */
const MAX_REQUEST_MS = 900_000;

/** EventBridge counts in minutes. */
const SECONDS_PER_MINUTE = 60;

/** A key whose value, where it is given and `when` holds, does on AWS what nobody who wrote it expects. */
interface Rule {
  path: [section: string, key: string];
  when?: (value: unknown, root: Raw) => boolean;
  says: string;
}

const notReached = {
  when: (value: unknown) => Number(value) > MAX_REQUEST_MS,
  says: `is not reached on AWS: every request ends before ${MAX_REQUEST_MS}`,
};

const RULES: Rule[] = [
  {
    path: ['server', 'transport'],
    when: (value) => value !== 'http',
    says: 'is not used on AWS: clients come by Streamable HTTP alone, to the path /mcp',
  },
  {
    path: ['server', 'address'],
    says: 'is not used on AWS: the address is the output Url; a name of your own is deploy.domain',
  },
  {
    path: ['server', 'max_body_bytes'],
    when: (value) => Number(value) > MAX_EVENT_BYTES,
    says: `is more than Lambda lets through: with what it adds, a request has ${MAX_EVENT_BYTES} bytes at most`,
  },
  {
    path: ['connector', 'reconnect_interval_s'],
    // Lists of a user's own are made on demand, and a failed one is tried again after it.
    when: (_value, root) => listOf(root['upstream']).every(({ catalogue }) => catalogue !== 'per_user'),
    says: 'is not used on AWS: a server that is down is tried again at the next refresh (registry.refresh_s)',
  },
  {
    path: ['registry', 'refresh_s'],
    when: (value) => Number(value) % SECONDS_PER_MINUTE !== 0,
    says: 'is rounded to whole minutes on AWS: give a multiple of 60',
  },
  { path: ['limits', 'max_wall_time_ms'], ...notReached },
  { path: ['limits', 'call_timeout_ms'], ...notReached },
  {
    path: ['deploy', 'permission_model'],
    when: (value, root) => value === true && listOf(root['upstream']).some(({ transport }) => transport === 'stdio'),
    says: 'is not used where a server is started by a command: under it no process could be',
  },
  { path: ['store', 'dir'], says: 'is not used on AWS: code is kept in a bucket' },
  { path: ['log', 'file'], says: 'is not used on AWS: logs go to CloudWatch' },
];

/** Says of every key that has no effect on AWS that it has none, and refuses the bucket that would not be the one used. */
export function checkEffect(root: Raw, found: Findings): void {
  for (const { path, when = () => true, says } of RULES) {
    const [section, key] = path;
    const value = rawOf(root[section])[key];
    if (value !== undefined && value !== '' && when(value, root)) found.warning(path, says);
  }
  if (rawOf(root['store'])['bucket']) {
    found.problem(
      ['store', 'bucket'],
      'code is kept in a bucket of the stack (output BucketName), not in this one: leave it out',
    );
  }
}
