import { ProtocolError } from '@modelcontextprotocol/server';
import type { UpstreamError } from '../upstream/upstream-error.ts';
import { RPC } from './responses.ts';

/**
 * An upstream's JSON-RPC error as our own answer, unchanged; but what is wrong between us and the upstream (-32020
 * headers, -32022 versions) is not our client's to repair.
 */
export function asProtocolError({ rpc }: UpstreamError): ProtocolError {
  const ours = rpc.code === -32020 || rpc.code === -32022;
  return ours
    ? new ProtocolError(RPC.internal, `The upstream refused our request: ${rpc.message}`)
    : new ProtocolError(rpc.code, rpc.message, rpc.data);
}
