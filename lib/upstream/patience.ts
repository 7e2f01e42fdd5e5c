/** How long requests may take, not counting the time in which the upstream waits for an answer from our side. */
export interface Patience {
  /** Calls `late` once `ms` have passed unheld; returns what stops the count. */
  start(ms: number, late: () => void): () => void;
  /** Holds all counts until the function it returns is called. */
  hold(): () => void;
}

interface Count {
  left: number;
  since: number;
  timer: NodeJS.Timeout | undefined;
  late: () => void;
}

/** Makes the patience of one connection: a user who is asked a question takes longer than a tool may. */
export function createPatience(now = Date.now): Patience {
  const counts = new Set<Count>();
  let holds = 0;

  function run(count: Count) {
    count.since = now();
    count.timer = setTimeout(() => {
      counts.delete(count);
      count.late();
    }, count.left);
  }

  return {
    start(ms, late) {
      const count: Count = { left: ms, since: now(), timer: undefined, late };
      counts.add(count);
      if (holds === 0) run(count);
      return () => {
        counts.delete(count);
        clearTimeout(count.timer);
      };
    },

    hold() {
      if (holds++ === 0) {
        for (const count of counts) {
          clearTimeout(count.timer);
          count.left = Math.max(0, count.left - (now() - count.since));
        }
      }
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        if (--holds === 0) for (const count of counts) run(count);
      };
    },
  };
}
