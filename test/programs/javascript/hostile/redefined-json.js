// expect-value: [{"a": 1}, 3]
globalThis.JSON = { parse: () => 'mine', stringify: () => '"mine"' };
globalThis.Object = globalThis.Array = globalThis.Promise = globalThis.Reflect = undefined;
function Run() {
  return [tools.echo({ a: 1 }), tools.add({ a: 1, b: 2 })];
}
