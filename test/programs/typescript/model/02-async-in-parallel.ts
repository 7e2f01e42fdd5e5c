// expect-value: [3, 7]
type Pair = [number, number];
async function Run(): Promise<number[]> {
  const pairs: Pair[] = [[1, 2], [3, 4]];
  return Promise.all(pairs.map(([a, b]: Pair) => tools.add({ a, b }) as Promise<number>));
}
