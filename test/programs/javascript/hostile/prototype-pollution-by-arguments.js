// expect-value: {"echo": {"a": 1}, "clean": true}
function Run() {
  const echo = tools.echo(JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'));
  return { echo: { a: 1 }, clean: {}.polluted === undefined && typeof echo === 'object' };
}
