// expect: timeout
class Endless extends Error {
  get message() {
    while (true) {}
  }
}
throw new Endless();
