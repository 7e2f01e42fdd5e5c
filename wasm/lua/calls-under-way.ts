import type { Bridge, Settled } from '../guest.ts';

/** Text of answers kept for later, characters; more is refused as a lack of memory. */
const MAX_KEPT_TEXT = 64 * 1024 * 1024;

/** The calls of one run between their start and the moment the script takes their answers. */
export interface CallsUnderWay {
  start(index: number, args: string): number;
  /** The answer of this call; blocks, keeping what others answer meanwhile. Undefined where there can be none. */
  take(id: number): Settled | undefined;
  /** The id of some call that has an answer, each only once; blocks. Undefined where nothing is under way. */
  next(): number | undefined;
  /** Whether more is kept than may be. */
  isFull(): boolean;
}

/** Opens the calls of a run over its bridge. */
export function openCalls(bridge: Bridge): CallsUnderWay {
  const kept = new Map<number, Settled>();
  /** Those kept whose ids `next` has not told. */
  const untold = new Set<number>();
  let underWay = 0;
  let keptText = 0;

  function receive(): Settled | undefined {
    if (underWay === 0) return undefined;
    const settled = bridge.wait();
    underWay--;
    return settled;
  }
  function keep(settled: Settled): void {
    kept.set(settled.id, settled);
    keptText += settled.text.length;
  }

  return {
    start: (index, args) => {
      underWay++;
      return bridge.start(index, args);
    },
    take: (id) => {
      for (;;) {
        const found = kept.get(id);
        if (found) {
          kept.delete(id);
          untold.delete(id);
          keptText -= found.text.length;
          return found;
        }
        const settled = receive();
        if (!settled || settled.id === id) return settled;
        keep(settled);
        untold.add(settled.id);
        if (keptText > MAX_KEPT_TEXT) return undefined;
      }
    },
    next: () => {
      for (const id of untold) {
        untold.delete(id);
        return id;
      }
      const settled = receive();
      if (settled) keep(settled);
      return settled?.id;
    },
    isFull: () => keptText > MAX_KEPT_TEXT,
  };
}
