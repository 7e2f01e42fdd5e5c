// expect: ok
async function* Run() {
  yield 1;
}
