// expect: syntax
class Hidden {
  constructor(private readonly inner: string) {}
}
function Run(): Hidden {
  return new Hidden('x');
}
