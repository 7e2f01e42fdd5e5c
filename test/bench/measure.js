// The same measurements for every contender, ours and peers; plain JavaScript, because peers may run on another Node.

/** Runs after the first that warm a contender up (compiled code included), and runs that are measured. */
const WARM_UP = 300;
const RUNS = 500;
const REPEATS = 5;
/** Longer actions are warm after fewer. */
const WARM_UP_REPEATS = 3;

/** Middle of some numbers. */
function median(values) {
  return values.toSorted
    ? values.toSorted((a, b) => a - b)[values.length >> 1]
    : [...values].sort((a, b) => a - b)[values.length >> 1];
}

let stamps = [];

/** A contender's host function tells each of its calls here: the time from one to the next is what a call costs. */
export function called() {
  stamps.push(performance.now());
}

async function gaps(action) {
  for (let at = 0; at < WARM_UP_REPEATS; at++) await action();
  stamps = [];
  for (let at = 0; at < REPEATS; at++) await action();
  return median(stamps.slice(1).map((stamp, at) => stamp - stamps[at]));
}

async function time(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

async function times(count, warmUp, action) {
  const all = [];
  for (let at = 0; at < warmUp; at++) await action();
  for (let at = 0; at < count; at++) all.push(await time(action));
  return median(all);
}

/**
 * Measures a contender: `{ add, calls, parallel, loop }`, each running one script (1+1; 1,000 calls one after another; 10
 * calls of 50 ms at once; a sum over a million numbers). Milliseconds; a measurement the contender has not is left out.
 */
export async function measure(contender) {
  const result = { cold: await time(contender.add) };
  result.warm = await times(RUNS, WARM_UP, contender.add);
  result.call = contender.calls && (await gaps(contender.calls));
  result.parallel = contender.parallel && (await times(REPEATS, WARM_UP_REPEATS, contender.parallel));
  result.loop = contender.loop && (await times(REPEATS, WARM_UP_REPEATS, contender.loop));
  return result;
}
