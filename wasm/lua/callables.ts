/** Chunk name of the script in Lua's messages and stack. */
export const CHUNK = 'code';

/** The host's functions as Lua's C functions, `(state) → results`. */
export const C_FUNCTIONS = [
  'main',
  'handler',
  'text',
  'call',
  'member',
  'members',
  'log',
  'write',
  'wait',
  'task',
  'encode',
  'decode',
] as const;
/** The continuation of a yielded call, `(state, status, context) → results`. */
export const CONTINUATION = 'resumed';

type CFunction = (state: number) => number;
type Continuation = (state: number, status: number, context: number) => number;

/** What the host implements: one JavaScript function for each name. */
export type HostFunctions = Record<(typeof C_FUNCTIONS)[number], CFunction> & Record<typeof CONTINUATION, Continuation>;

const I32 = 0x7f;
const FUNCTION_TYPE = 0x60;
const EXPORTED_FUNCTION = 0;

/**
 * A module that imports each host function and exports it again: a function table takes wasm functions only, and this
 * makes them out of JavaScript ones.
 */
export function callablesModule(): WebAssembly.Module {
  const names = [...C_FUNCTIONS, CONTINUATION];
  const types = [2, FUNCTION_TYPE, 1, I32, 1, I32, FUNCTION_TYPE, 3, I32, I32, I32, 1, I32];
  const imports = names.flatMap((name) => [...text('host'), ...text(name), 0, name === CONTINUATION ? 1 : 0]);
  const exports = names.flatMap((name, index) => [...text(name), EXPORTED_FUNCTION, index]);
  return new WebAssembly.Module(
    new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, types),
      ...section(2, [names.length, ...imports]),
      ...section(7, [names.length, ...exports]),
    ]),
  );
}

function section(id: number, body: number[]): number[] {
  const low = (body.length & 127) | 128;
  return [id, low, body.length >>> 7, ...body];
}

function text(value: string): number[] {
  return [value.length, ...new TextEncoder().encode(value)];
}
