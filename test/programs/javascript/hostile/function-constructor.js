// expect-value: ["undefined", "undefined", "undefined", "undefined"]
function Run() {
  const outer = tools.add.constructor('return this')();
  const more = (async () => {}).constructor('return typeof process')();
  return [typeof outer.process, typeof outer.require, typeof outer.WebAssembly, typeof more === 'object' ? 'undefined' : 'x'];
}
