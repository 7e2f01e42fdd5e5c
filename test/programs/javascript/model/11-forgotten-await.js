// expect-error: runtime: add await
async function Run() {
  const list = tools.list({ n: 2 });
  return list.items.length;
}
