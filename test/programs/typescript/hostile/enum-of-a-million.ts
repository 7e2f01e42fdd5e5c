// expect-error: syntax: enum
enum Endless {
  First = 1,
}
function Run(): Endless {
  return Endless.First;
}
