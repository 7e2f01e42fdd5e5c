// expect-value: 3
(async () => {
  const sum = await tools.add({ a: 1, b: 2 });
  return sum;
})();
