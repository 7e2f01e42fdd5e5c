// expect-error: syntax: 3 |   const a: = 1;
function Run(): number {
  const a: = 1;
  return a;
}
