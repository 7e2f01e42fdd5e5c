// expect: timeout
function Run() {
  return [3, 2, 1].sort(() => {
    for (;;) {}
  });
}
