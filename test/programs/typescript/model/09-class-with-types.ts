// expect-value: 7
class Counter<T> {
  private readonly seen: T[] = [];
  add(value: T): this {
    this.seen.push(value);
    return this;
  }
  get size(): number {
    return this.seen.length;
  }
}
function Run(): number {
  const counter = new Counter<number>();
  for (let at = 0; at < 7; at++) counter.add(at);
  return counter.size;
}
