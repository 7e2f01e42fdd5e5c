/** A Go module made ready for snapshots: the changed binary and the names its mutable globals are exported under. */
export interface OpenedModule {
  bytes: Uint8Array<ArrayBuffer>;
  globals: string[];
}

const SECTION = { memory: 5, global: 6, export: 7 } as const;
const HEADER_BYTES = 8;
/** Kind of an exported global in an export entry. */
const EXPORTED_GLOBAL = 3;

/**
 * Rewrites two sections of a wasm binary: the memory gets a maximum (pages of 64 KiB), and every mutable global is
 * exported, so that a snapshot of the instance can be put back. Throws where the binary has another shape than Go's.
 */
export function openModule(binary: Uint8Array, maximumPages: number): OpenedModule {
  const parts: Uint8Array[] = [binary.subarray(0, HEADER_BYTES)];
  let mutable: number[] = [];
  let at = HEADER_BYTES;
  while (at < binary.length) {
    const id = binary[at]!;
    const [size, body] = readNumber(binary, at + 1);
    const end = body + size;
    if (id === SECTION.memory) parts.push(section(id, memoryWithMaximum(binary, body, maximumPages)));
    else if (id === SECTION.export) parts.push(section(id, exportsWith(binary.subarray(body, end), mutable)));
    else parts.push(binary.subarray(at, end));
    if (id === SECTION.global) mutable = mutableGlobals(binary, body);
    at = end;
  }
  return { bytes: join(parts), globals: mutable.map(globalName) };
}

function globalName(index: number): string {
  return `global${index}`;
}

function memoryWithMaximum(binary: Uint8Array, body: number, maximumPages: number): number[] {
  const [count, flagsAt] = readNumber(binary, body);
  const [initialPages] = readNumber(binary, flagsAt + 1);
  if (count !== 1 || initialPages > maximumPages) throw new Error('one memory of fewer pages was expected');
  return [1, 1, ...writeNumber(initialPages), ...writeNumber(maximumPages)];
}

/** Indexes of the globals that can change; Go initialises each by one constant. */
function mutableGlobals(binary: Uint8Array, body: number): number[] {
  let [count, at] = readNumber(binary, body);
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    if (binary[at + 1] === 1) found.push(index);
    const constant = binary[at + 2];
    at += 3;
    if (constant !== 0x41 && constant !== 0x42) throw new Error('an integer constant was expected');
    while (binary[at]! >= 0x80) at++;
    if (binary[at + 1] !== 0x0b) throw new Error('a single constant was expected');
    at += 2;
  }
  return found;
}

function exportsWith(body: Uint8Array, globals: readonly number[]): number[] {
  const [count, at] = readNumber(body, 0);
  const added = globals.flatMap((index) => {
    const name = new TextEncoder().encode(globalName(index));
    return [name.length, ...name, EXPORTED_GLOBAL, ...writeNumber(index)];
  });
  return [...writeNumber(count + globals.length), ...body.subarray(at), ...added];
}

function section(id: number, body: readonly number[]): Uint8Array {
  return Uint8Array.from([id, ...writeNumber(body.length), ...body]);
}

/** Reads an unsigned LEB128 number: its value and where the next byte is. */
function readNumber(bytes: Uint8Array, start: number): [value: number, next: number] {
  let value = 0;
  let factor = 1;
  for (let at = start; ; at++) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte < 0x80) return [value, at + 1];
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
