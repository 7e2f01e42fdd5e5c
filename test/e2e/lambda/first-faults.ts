import type { Fault, FaultProxy } from './fault-proxy.ts';

/** What it is called, what goes wrong, and with how many requests at most; absent: with all. */
export type FirstFault = [what: string, fault: Fault, most?: number];

/** What goes wrong on the way to any service; few where each takes a second and more. */
export const OF_THE_NETWORK: FirstFault[] = [
  ['unreachable', 'refused'],
  ['losing its answers', 'lost'],
  ['breaking off half-way', 'half'],
  ['standing still half-way', 'stalled', 2],
  ['silent', 'silent', 2],
];

/** Makes the first attempt of every request go wrong, of at most `most` of them. */
export function failFirst(proxy: FaultProxy, fault: Fault, most = Number.POSITIVE_INFINITY): void {
  const seen = new Set<string>();
  proxy.fault = ({ method, path, headers }) => {
    // Asked anew for the same body, S3 answers; what the SDK sends again has the same id.
    const key = path === '/' ? String(headers['amz-sdk-invocation-id']) : `${method} ${path}`;
    if (seen.has(key) || seen.size >= most) return undefined;
    seen.add(key);
    return fault;
  };
}
