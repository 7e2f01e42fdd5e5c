// expect-value: 3
// entry: main
// params: {"a": 1, "b": 2}
async function main(params) {
  return tools.add(params);
}
