import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { MethodContext } from './method.ts';
import { RPC } from './responses.ts';

/** A question's state is good this long, milliseconds. */
const STATE_TTL_MS = 10 * 60_000;

/** What goes to the upstream with a repeated request. */
export interface Input {
  inputResponses?: JsonObject;
  requestState?: string;
}

interface Sealed {
  /** What was asked for: the tool, prompt or resource. */
  about: string;
  user: string | null;
  expires: number;
  /** The upstream's own state. */
  state: string;
}

/**
 * Carries an upstream's `input_required` to a client of the modern era and the answers back. The state that travels with
 * the client is signed, belongs to one user and one request, and expires.
 */
export async function withInput(
  context: MethodContext,
  about: string,
  ask: (input: Input) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { services, peer, input } = context;
  const answered: Input = {};
  if (input.responses) answered.inputResponses = input.responses;
  if (input.state !== undefined) {
    const sealed = open(input.state, await services.stateKey());
    const mine = sealed?.about === about && sealed.user === (peer.caller.userId ?? null);
    if (!sealed || !mine || sealed.expires <= services.now()) {
      throw new ProtocolError(RPC.invalidParams, 'Invalid or expired requestState: send the request anew', {
        reason: 'invalid_request_state',
      });
    }
    answered.requestState = sealed.state;
  }
  const result = await ask(answered);
  // Where the upstream sent no state there is nothing to protect: the answers are the client's own.
  if (result.resultType !== 'input_required' || typeof result.requestState !== 'string') return result;
  const sealed: Sealed = {
    about,
    user: peer.caller.userId ?? null,
    expires: services.now() + STATE_TTL_MS,
    state: result.requestState,
  };
  return { ...result, requestState: seal(sealed, await services.stateKey()) };
}

function seal(sealed: Sealed, key: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return `${body}.${mac(body, key).toString('base64url')}`;
}

function open(text: string, key: Uint8Array): Sealed | undefined {
  const [body = '', tag = ''] = text.split('.');
  const given = Buffer.from(tag, 'base64url');
  const expected = mac(body, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const sealed: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  return isJsonObject(sealed) ? (sealed as unknown as Sealed) : undefined;
}

function mac(body: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`mcp-code-mode request state ${body}`).digest();
}
