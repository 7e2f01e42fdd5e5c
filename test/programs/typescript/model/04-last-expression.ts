// expect-value: 4
const list = tools.list({ n: 4 }) as { items: number[] };
list.items.length;
