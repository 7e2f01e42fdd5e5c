// expect: memory
const kept: Map<number, string> = new Map<number, string>();
function Run(): never {
  for (let n = 0; ; n++) kept.set(n, `${n}`.repeat(1000));
}
