// expect: timeout
async function Run() {
  for (;;) await null;
}
