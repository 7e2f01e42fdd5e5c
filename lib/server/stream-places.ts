import type { Caller } from '../access/caller.ts';

/** Streams of one kind that a process holds open at once. */
const MAX_STREAMS = 1024;

/** Of these, those of one user. */
const MAX_STREAMS_PER_USER = 64;

/** Of these, those of all callers without an identity together, where others have one. */
const MAX_STREAMS_OF_ANYBODY = MAX_STREAMS / 2;

/** What a caller is told who gets no place. */
export const NO_PLACE =
  'Too Many Requests: too many streams are open here, or too many of yours; close one, or ask for the lists again by ttlMs';

/** Hands out the places for streams that are held open, so that nobody takes them all. */
export function createStreamPlaces(hasIdentities: boolean) {
  const taken = new Map<string | undefined, number>();
  let all = 0;

  return {
    /** Takes a place, to be given back once by what is returned; undefined where there is none for this caller. */
    take({ userId }: Caller): (() => void) | undefined {
      const own = taken.get(userId) ?? 0;
      const anybody = hasIdentities ? MAX_STREAMS_OF_ANYBODY : MAX_STREAMS;
      if (all >= MAX_STREAMS || own >= (userId === undefined ? anybody : MAX_STREAMS_PER_USER)) return undefined;
      all++;
      taken.set(userId, own + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        all--;
        const left = taken.get(userId)! - 1;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
      };
    },
  };
}
