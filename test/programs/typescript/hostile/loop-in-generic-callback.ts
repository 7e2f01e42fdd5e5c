// expect: timeout
function each<T>(items: readonly T[], visit: (item: T) => void): void {
  for (let at = 0; ; at = (at + 1) % items.length) visit(items[at] as T);
}
function Run(): void {
  each<number>([1, 2, 3], (item: number) => item satisfies number);
}
