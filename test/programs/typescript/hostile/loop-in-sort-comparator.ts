// expect: timeout
function Run(): number[] {
  return [3, 1, 2].sort((a: number, b: number): number => {
    while (a !== b) {}
    return 0;
  });
}
