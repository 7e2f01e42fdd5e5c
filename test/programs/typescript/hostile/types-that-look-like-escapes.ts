// expect-value: "undefined"
declare const process: { env: Record<string, string> };
function Run(): string {
  return typeof process;
}
