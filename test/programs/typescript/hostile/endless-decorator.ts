// expect: syntax
function dig(_: unknown): void {
  for (;;) {}
}
@dig
class Target {}
