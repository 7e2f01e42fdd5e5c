// expect-value: 3
declare const JSON: { parse: unknown; stringify: unknown };
function Run(): number {
  (console as { log: unknown }).log = undefined;
  JSON.parse = JSON.stringify = (): never => {
    throw new Error('redefined');
  };
  return tools.add({ a: 1, b: 2 }) as number;
}
