// expect: timeout
function Run(): never {
  for (;;) {}
}
