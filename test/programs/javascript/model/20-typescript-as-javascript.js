// expect-error: syntax: this looks like TypeScript
interface Sum {
  a: number;
}
function Run(): number {
  return 1;
}
