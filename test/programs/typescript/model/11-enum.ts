// expect-error: syntax: use a union of strings
enum Colour {
  Red,
  Blue,
}
function Run() {
  return Colour.Red;
}
