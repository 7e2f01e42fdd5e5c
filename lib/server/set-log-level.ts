import { ProtocolError } from '@modelcontextprotocol/server';
import { isLogLevel, LEVEL_NAMES } from './log-level.ts';
import type { Method } from './method.ts';
import { RPC } from './responses.ts';

/** `logging/setLevel`: from now on the session hears its upstreams; each is told the level before its next request. */
export const setLogLevel: Method = async ({ level }, { peer }) => {
  if (!isLogLevel(level)) throw new ProtocolError(RPC.invalidParams, `params.level must be one of ${LEVEL_NAMES}`);
  await peer.link?.setLogLevel(level);
  return {};
};
