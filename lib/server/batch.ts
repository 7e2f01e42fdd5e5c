import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Session } from '../session/contract.ts';
import { RPC, rpcError } from './responses.ts';

/** Messages in one batch at most. */
const MAX_BATCH = 50;

/** The only version with batches. */
const BATCH_VERSION = '2025-03-26';

/** The refusal of a batch, or undefined where it may be served. */
export function refuseBatch(batch: JsonObject[], session: Session): Response | undefined {
  if (session.protocolVersion !== BATCH_VERSION) {
    const message = `Invalid Request: batches exist in ${BATCH_VERSION} only; send each message by itself`;
    return rpcError(400, RPC.invalidRequest, message);
  }
  if (batch.length === 0) return rpcError(400, RPC.invalidRequest, 'Invalid Request: the batch is empty');
  if (batch.length > MAX_BATCH) {
    return rpcError(400, RPC.invalidRequest, `Invalid Request: a batch may have ${MAX_BATCH} messages; send fewer`);
  }
  if (batch.some((one) => !isJsonObject(one) || one.method === 'initialize')) {
    return rpcError(
      400,
      RPC.invalidRequest,
      'Invalid Request: a batch holds JSON-RPC messages, and initialize comes alone',
    );
  }
  return undefined;
}
