// expect: timeout
function Run() {
  return [1].map(() => {
    while (true) {}
  });
}
