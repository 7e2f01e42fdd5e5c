// expect-value: 3
(Object.prototype as any).toString = () => { throw new Error('no'); };
(JSON as any).stringify = (JSON as any).parse = undefined;
function Run(): number {
  return tools.add({ a: 1, b: 2 });
}
