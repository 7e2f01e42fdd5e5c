// expect: timeout
class Trap {
  get value(): number {
    for (;;) {}
  }
  toJSON(): { value: number } {
    return { value: this.value };
  }
}
const Run = (): Trap => new Trap();
