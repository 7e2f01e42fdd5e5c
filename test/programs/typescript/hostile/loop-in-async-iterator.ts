// expect: timeout
async function* endless(): AsyncGenerator<number, never, unknown> {
  for (let n = 0; ; n++) yield n;
}
async function Run(): Promise<void> {
  for await (const _ of endless()) {
  }
}
