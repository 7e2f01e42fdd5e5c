// expect: timeout
function Run(): never {
  for (;;) {
    try {
      for (;;) {}
    } catch (error: unknown) {
    }
  }
}
