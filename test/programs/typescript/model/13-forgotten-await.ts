// expect-error: runtime: 4 |   const { items } = tools.list({ n: 2 });
async function Run(): Promise<number> {
  // The call is not awaited.
  const { items } = tools.list({ n: 2 });
  return items.length;
}
