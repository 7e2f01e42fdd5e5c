// expect-value: ["b", "a"]
function keysOf<T extends object>(value: T): (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}
const weights = { a: 2, b: 1 } satisfies Record<string, number>;
export default function (): string[] {
  return keysOf(weights).sort((x, y) => weights[x]! - weights[y]!);
}
