// expect-value: [3, 7, 11]
async function Run() {
  const pairs = [[1, 2], [3, 4], [5, 6]];
  return Promise.all(pairs.map(([a, b]) => tools.add({ a, b })));
}
