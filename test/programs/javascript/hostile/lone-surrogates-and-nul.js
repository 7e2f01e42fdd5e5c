// expect-value: {"nul": "a\u0000b", "lone": "\ud800"}
function Run() {
  console.log('a\u0000b', '\ud800');
  return tools.echo({ nul: 'a\u0000b', lone: '\ud800' });
}
