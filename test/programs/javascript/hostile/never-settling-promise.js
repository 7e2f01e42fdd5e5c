// expect-error: runtime: nothing will ever settle
async function Run() {
  await new Promise(() => {});
}
