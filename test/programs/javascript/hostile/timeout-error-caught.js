// expect: timeout
function Run() {
  for (;;) {
    try {
      while (true) {}
    } catch {}
  }
}
