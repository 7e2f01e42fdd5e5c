import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const nearby = new BlockList();
nearby.addSubnet('127.0.0.0', 8);
nearby.addSubnet('10.0.0.0', 8);
nearby.addSubnet('172.16.0.0', 12);
nearby.addSubnet('192.168.0.0', 16);
nearby.addAddress('::1', 'ipv6');
nearby.addSubnet('fc00::', 7, 'ipv6');

/** Whether an IP address is loopback or private (RFC 1918, RFC 4193); link-local ones, where cloud metadata is, are not. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && nearby.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a secret may be sent to this URL: over https anywhere, over http only to loopback and private addresses. */
export async function maySendSecrets(url: URL): Promise<boolean> {
  if (url.protocol === 'https:') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return isPrivateAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isPrivateAddress(address));
}
