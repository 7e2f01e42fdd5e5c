import type { JsonObject } from '../json.ts';
import type { Step } from '../run/run-script.ts';

/** Sends `notifications/progress` under the client's own token: rising numbers only, and nothing after `end`. */
export interface Progress {
  /** A call of a script: one step each, parts of it where its upstream tells. */
  step(step: Step): void;
  /** The progress of a directly called tool, as its upstream tells it. */
  relay(progress: { progress: number; total?: number | undefined; message?: string | undefined }): void;
  /** The answer follows: the last step where the tool itself told nothing. */
  end(name?: string): void;
}

/** Progress for one request, or undefined where the client did not ask for it. */
export function createProgress(
  meta: JsonObject | undefined,
  notify: (params: JsonObject) => Promise<void>,
): Progress | undefined {
  const token = meta?.progressToken;
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  let last = Number.NEGATIVE_INFINITY;
  let ended = false;
  let finished = 0;

  const send = (progress: number, rest: { total?: number; message?: string }): void => {
    if (ended || !Number.isFinite(progress) || progress <= last) return;
    last = progress;
    // A client that has gone wants no progress; the run's own end is handled elsewhere.
    notify({ progressToken: token, progress, ...rest }).catch(() => {});
  };

  return {
    step({ name, share = 0, message }) {
      if (share >= 1) finished++;
      send(share >= 1 ? finished : finished + share, { message: message === undefined ? name : `${name}: ${message}` });
    },
    relay({ progress, total, message }) {
      send(progress, { ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
    },
    end(name) {
      if (name !== undefined && last === Number.NEGATIVE_INFINITY) send(1, { total: 1, message: name });
      ended = true;
    },
  };
}
