// expect-value: 4
globalThis.tools = { add: () => 4 };
function Run() {
  return tools.add({ a: 1, b: 2 });
}
