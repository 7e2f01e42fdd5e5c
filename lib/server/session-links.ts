import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Answers } from '../session/answers.ts';
import type { Session, SessionStore } from '../session/contract.ts';
import type { ClientLink } from './client-link.ts';
import { ANSWER_WAIT_MS, createClientLink } from './client-link.ts';

/** Where a message to a client can be written: the stream of a request under way, or its standalone stream. */
export type Channel = (message: JsonObject) => void;

/**
 * Sessions whose link is kept at once: most clients never say goodbye. Above it the one unused for longest is forgotten; what
 * it had subscribed to it must subscribe to again.
 */
const MAX_HELD = 10_000;

interface Held {
  link: ClientLink;
  /** As its latest request found it in the store. */
  session: Session;
  /** Streams of requests under way, latest last; each with the end of its request, milliseconds since the epoch. */
  channels: { send: Channel; deadline: number }[];
  /** What gives up each question that waits for its answer. */
  pending: Set<AbortController>;
}

/** The links of HTTP sessions. Their requests come one by one, so which stream reaches a client changes all the time. */
export function createSessionLinks(options: {
  randomId: () => string;
  now: () => number;
  sessions: SessionStore;
  answers: Answers;
  /** Writes to the session's standalone stream; false where it has none. */
  standalone(sessionId: string, message: JsonObject): boolean;
}) {
  const { answers, now } = options;
  const sessions = new Map<string, Held>();

  function write(sessionId: string, held: Held, message: JsonObject): boolean {
    const channel = held.channels.at(-1);
    if (!channel) return options.standalone(sessionId, message);
    channel.send(message);
    return true;
  }

  /** Asks the client; what it answers with an error is thrown. */
  async function request(held: Held, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const id = options.randomId();
    const question = { sessionId: held.session.id, id };
    const wait = Math.min(ANSWER_WAIT_MS, (held.channels.at(-1)?.deadline ?? Number.POSITIVE_INFINITY) - now());
    const giveUp = new AbortController();
    const aborted = (): void => giveUp.abort(new Error('the request was cancelled'));
    const timer = setTimeout(() => giveUp.abort(new Error('the client did not answer in time')), Math.max(wait, 0));
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();
    held.pending.add(giveUp);
    try {
      await answers.open(question, now() + wait);
      if (!write(question.sessionId, held, { jsonrpc: '2.0', id, method, params })) {
        giveUp.abort(new Error('the client has no stream open to be asked on'));
      }
      const response = await answers.take(question, giveUp.signal);
      if (isJsonObject(response.result)) return response.result;
      throw clientError(response.error);
    } catch (error) {
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
      if (giveUp.signal.aborted) write(question.sessionId, held, cancelled);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      held.pending.delete(giveUp);
    }
  }

  function hold(session: Session): Held {
    const known = sessions.get(session.id);
    if (known) {
      known.session = session;
      sessions.delete(session.id);
      sessions.set(session.id, known);
      return known;
    }
    const held: Held = { link: undefined as never, session, channels: [], pending: new Set() };
    held.link = createClientLink({
      id: session.id,
      capabilities: () => held.session.capabilities,
      logLevel: () => held.session.logLevel,
      async setLogLevel(level) {
        await options.sessions.setLogLevel(session.id, level);
        held.session = { ...held.session, logLevel: level };
      },
      request: (method, params, signal) => request(held, method, params, signal),
      notify: (method, params) => void write(session.id, held, { jsonrpc: '2.0', method, params }),
    });
    sessions.set(session.id, held);
    if (sessions.size > MAX_HELD) forgetIdle();
    return held;
  }

  /** Forgets the longest unused link of those through which nothing goes at present. */
  function forgetIdle(): void {
    for (const [id, { channels, pending }] of sessions) {
      if (channels.length + pending.size > 0) continue;
      sessions.delete(id);
      return;
    }
  }

  return {
    of: (session: Session): ClientLink => hold(session).link,
    /** The request's stream reaches the client from now on, until the returned function is called. */
    attach(session: Session, send: Channel, deadline = Number.POSITIVE_INFINITY): () => void {
      const { channels } = hold(session);
      const channel = { send, deadline };
      channels.push(channel);
      return () => {
        const at = channels.indexOf(channel);
        if (at >= 0) channels.splice(at, 1);
      };
    },
    /** Takes a JSON-RPC response that the client has posted; one that nobody waits for is dropped. */
    async respond(session: Session, response: JsonObject): Promise<void> {
      await answers.leave({ sessionId: session.id, id: String(response.id) }, response);
    },
    end(sessionId: string): void {
      const held = sessions.get(sessionId);
      sessions.delete(sessionId);
      for (const giveUp of held?.pending ?? []) giveUp.abort(new Error('the session has ended'));
    },
  };
}

/** The client's error, which goes back to the upstream with its code. */
function clientError(error: unknown): Error {
  const { code, message, data } = isJsonObject(error) ? error : ({} as JsonObject);
  return Object.assign(new Error(typeof message === 'string' ? message : 'the client refused'), {
    code: typeof code === 'number' ? code : -32603,
    ...(data !== undefined && { data }),
  });
}
