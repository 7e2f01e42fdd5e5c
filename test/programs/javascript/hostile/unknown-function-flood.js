// expect: timeout
function Run() {
  for (;;) {
    try {
      tools.nothing_like_it();
    } catch {}
  }
}
