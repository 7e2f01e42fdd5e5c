/** A package that `npx` is to run. */
export interface NpxPackage {
  name: string;
  /** Exact. */
  version: string;
  /** What the package's command is given. */
  args: string[];
}

const PINNED = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;
const YES = new Set(['-y', '--yes']);

/** Reads `npx`'s arguments: `[-y] package@1.2.3 [arguments…]`, or the problem with them. */
export function npxPackage(args: readonly string[]): NpxPackage | { problem: string } {
  const start = args.findIndex((argument) => !YES.has(argument));
  const specifier = args[start];
  if (specifier === undefined) return { problem: 'must name the package that npx is to run' };
  if (specifier.startsWith('-'))
    return { problem: `${specifier} cannot be used on AWS: only -y, package@version and its arguments` };
  const match = PINNED.exec(specifier);
  if (!match?.[1] || !match[2]) {
    return {
      problem: `"${specifier}" must be pinned to a version on AWS, e.g. ${specifier.replace(/(.)@.*/, '$1')}@1.2.3`,
    };
  }
  return { name: match[1], version: match[2], args: args.slice(start + 1) };
}
