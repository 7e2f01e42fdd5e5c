/**
 * The file of a record. "Stats" and "stats" are two names but, on many file systems, one file: behind a "~" stands, in
 * hexadecimal, which letters are capitals.
 */
export function fileOf(name: string): string {
  let capitals = 0n;
  for (const [index, letter] of [...name].entries()) if (/[A-Z]/.test(letter)) capitals |= 1n << BigInt(index);
  return `${name}${capitals === 0n ? '' : `~${capitals.toString(16)}`}.code`;
}

/** The record whose file this is; undefined for a file that is no record's. */
export function nameOfFile(file: string): string | undefined {
  const name = /^([a-zA-Z0-9_-]{1,64})(?:~[0-9a-f]+)?\.code$/.exec(file)?.[1];
  return name !== undefined && fileOf(name) === file ? name : undefined;
}
