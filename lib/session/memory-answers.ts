import type { JsonObject } from '../json.ts';
import type { Answers, Question } from './answers.ts';

const keyOf = ({ sessionId, id }: Question) => `${sessionId} ${id}`;

/** Answers to what this process itself has asked. */
export function createMemoryAnswers(): Answers {
  const asked = new Map<string, PromiseWithResolvers<JsonObject>>();
  return {
    async open(question) {
      asked.set(keyOf(question), Promise.withResolvers());
    },
    async take(question, signal) {
      const waiting = asked.get(keyOf(question));
      if (!waiting) throw new Error('nobody has asked this');
      const abort = (): void => waiting.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await waiting.promise;
      } finally {
        signal.removeEventListener('abort', abort);
        asked.delete(keyOf(question));
      }
    },
    async leave(question, response) {
      asked.get(keyOf(question))?.resolve(response);
    },
  };
}
