// expect: timeout
function Run() {
  for (;;) {}
}
