import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
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
  /** Streams of requests under way, latest last. */
  channels: Channel[];
  pending: Map<string, { resolve(result: JsonObject): void; reject(error: Error): void }>;
}

/** The links of HTTP sessions. Their requests come one by one, so which stream reaches a client changes all the time. */
export function createSessionLinks(options: {
  randomId: () => string;
  sessions: SessionStore;
  /** Whether a client's answer to a question, a request of its own, comes back to this process. */
  hearsAnswers: boolean;
  /** Writes to the session's standalone stream; false where it has none. */
  standalone(sessionId: string, message: JsonObject): boolean;
}) {
  const sessions = new Map<string, Held>();

  function write(sessionId: string, held: Held, message: JsonObject): boolean {
    const channel = held.channels.at(-1);
    if (!channel) return options.standalone(sessionId, message);
    channel(message);
    return true;
  }

  function request(session: Session, held: Held, method: string, params: JsonObject, signal: AbortSignal) {
    const id = options.randomId();
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const giveUp = (why: string): void => {
      write(session.id, held, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      reject(new Error(why));
    };
    const timer = setTimeout(() => giveUp('the client did not answer in time'), ANSWER_WAIT_MS);
    const aborted = (): void => giveUp('the request was cancelled');
    signal.addEventListener('abort', aborted, { once: true });
    held.pending.set(id, { resolve, reject });
    if (!write(session.id, held, { jsonrpc: '2.0', id, method, params })) {
      reject(new Error('the client has no stream open to be asked on'));
    }
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      held.pending.delete(id);
    });
  }

  function hold(session: Session): Held {
    const known = sessions.get(session.id);
    if (known) {
      known.session = session;
      sessions.delete(session.id);
      sessions.set(session.id, known);
      return known;
    }
    const held: Held = { link: undefined as never, session, channels: [], pending: new Map() };
    held.link = createClientLink({
      id: session.id,
      capabilities: () => held.session.capabilities,
      logLevel: () => held.session.logLevel,
      async setLogLevel(level) {
        await options.sessions.setLogLevel(session.id, level);
        held.session = { ...held.session, logLevel: level };
      },
      ...(options.hearsAnswers && {
        request: (method: string, params: JsonObject, signal: AbortSignal) =>
          request(session, held, method, params, signal),
      }),
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
    attach(session: Session, channel: Channel): () => void {
      const { channels } = hold(session);
      channels.push(channel);
      return () => {
        const at = channels.indexOf(channel);
        if (at >= 0) channels.splice(at, 1);
      };
    },
    /** Takes a JSON-RPC response that the client has posted. */
    respond(session: Session, message: JsonObject): void {
      const waiting = sessions.get(session.id)?.pending.get(String(message.id));
      if (!waiting) return;
      if (isJsonObject(message.result)) waiting.resolve(message.result);
      else waiting.reject(clientError(message.error));
    },
    end(sessionId: string): void {
      const held = sessions.get(sessionId);
      sessions.delete(sessionId);
      for (const { reject } of held?.pending.values() ?? []) reject(new Error('the session has ended'));
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
