// expect-error: syntax: 3 |   constructor(private name: string) {}
class Person {
  constructor(private name: string) {}
}
function Run() {
  return new Person('x');
}
