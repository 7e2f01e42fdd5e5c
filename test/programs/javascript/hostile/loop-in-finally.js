// expect: timeout
function Run() {
  for (;;) {
    try {
      throw new Error('again');
    } catch {
    } finally {
      continue;
    }
  }
}
