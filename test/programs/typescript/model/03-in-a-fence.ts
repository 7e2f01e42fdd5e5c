// expect-value: 6
```ts
function Run(): number {
  const { items } = tools.list({ n: 3 }) as { items: number[] };
  return items.reduce((sum: number, n: number) => sum + n, 0);
}
```
