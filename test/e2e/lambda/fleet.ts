import type { Environment } from '../../support/lambda/environment.ts';

/** One function's environments, each serving one request at a time. */
export interface Fleet {
  /** Serves one request in the environment that has been idle longest, so that a client meets another one each time. */
  next(): Promise<Pick<Environment, 'invoke'>>;
  /** The number of the environment that served each request so far, in order. */
  servedBy: number[];
  /** Everything all its environments have logged. */
  logged(): string;
  /** Kills the environment that got the last request. */
  killLast(): Promise<void>;
  close(): Promise<void>;
}

interface Slot {
  number: number;
  environment: Promise<Environment>;
  /** Requests that it serves or that wait for it. */
  busy: number;
  dead: boolean;
}

/** A fleet that starts environments until there are `least`, then only while all are busy, up to `most`. */
export function createFleet(
  start: () => Promise<Environment>,
  { least, most }: { least: number; most: number },
): Fleet {
  const servedBy: number[] = [];
  const all: Environment[] = [];
  /** Those alive or starting; the one used last stands last. */
  let slots: Slot[] = [];
  let launched = 0;

  function launch(): Slot {
    const slot: Slot = { number: launched, environment: start(), busy: 0, dead: false };
    launched += 1;
    slot.environment.then(
      (environment) => all.push(environment),
      () => {
        slot.dead = true;
      },
    );
    return slot;
  }

  async function choose(): Promise<Slot> {
    for (const slot of slots) if (!slot.dead && slot.busy === 0 && !(await slot.environment).alive) slot.dead = true;
    slots = slots.filter(({ dead }) => !dead);
    const idle = slots.find(({ busy }) => busy === 0);
    const mayStart = slots.length < least || (!idle && slots.length < most);
    const slot = mayStart ? launch() : (idle ?? slots.toSorted((one, other) => one.busy - other.busy)[0]!);
    slots = [...slots.filter((one) => one !== slot), slot];
    slot.busy += 1;
    servedBy.push(slot.number);
    return slot;
  }

  let choosing: Promise<unknown> = Promise.resolve();
  return {
    servedBy,
    logged: () => all.map((environment) => environment.logged()).join(''),
    async next() {
      const chosen = choosing.then(choose);
      choosing = chosen.catch(() => {});
      const slot = await chosen;
      const environment = await slot.environment;
      return {
        async invoke(event, options) {
          try {
            return await environment.invoke(event, options);
          } finally {
            slot.busy -= 1;
            if (!environment.alive) slot.dead = true;
          }
        },
      };
    },
    async killLast() {
      await (await slots.at(-1)?.environment)?.kill();
    },
    async close() {
      await Promise.allSettled(slots.map(async ({ environment }) => (await environment).kill()));
    },
  };
}
