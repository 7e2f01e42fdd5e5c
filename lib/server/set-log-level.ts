import { ProtocolError } from '@modelcontextprotocol/server';
import { askUpstream } from '../run/ask-upstream.ts';
import type { Method, MethodContext } from './method.ts';
import { RPC } from './responses.ts';

/** Levels of MCP's log messages (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** `logging/setLevel`: from now on the session hears its upstreams; each is told the level before its next call. */
export const setLogLevel: Method = async ({ level }, { peer }) => {
  if (typeof level !== 'string' || !LEVELS.includes(level)) {
    throw new ProtocolError(RPC.invalidParams, `params.level must be one of ${LEVELS.join(', ')}`);
  }
  if (peer.link) {
    peer.link.logging.level = level;
    peer.link.bind();
  }
  return {};
};

/** Tells a server the session's level if it does not know it yet; a server that refuses is not asked again. */
export async function tellLogLevel(server: string, { services, peer, client, signal }: MethodContext): Promise<void> {
  const { level, told } = peer.link?.logging ?? {};
  if (level === undefined || client === undefined || told?.get(server) === level) return;
  told?.set(server, level);
  const request = { server, method: 'logging/setLevel', params: { level }, caller: peer.caller, signal, client };
  await askUpstream(services, request).catch(() => {});
}
