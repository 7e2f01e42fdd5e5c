/** Waits until something holds, for tests of what happens by itself; fails after `ms`. */
export async function until(holds: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It does not hold after ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
