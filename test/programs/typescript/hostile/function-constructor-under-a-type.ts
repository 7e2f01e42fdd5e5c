// expect-value: "undefined"
type Maker = new (body: string) => () => unknown;
function Run(): unknown {
  const make = (() => {}).constructor as unknown as Maker;
  return new make('return typeof process')();
}
