// expect-value: 12
function Run() {
  const first = await tools.add({ a: 1, b: 2 });
  const second = await tools.add({ a: 4, b: 5 });
  return first + second;
}
