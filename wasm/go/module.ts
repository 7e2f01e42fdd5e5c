/** Ids of the sections of a wasm binary that are rewritten here. */
export const SECTION = { memory: 5, global: 6, export: 7, data: 11, dataCount: 12 } as const;

const HEADER_BYTES = 8;

/** One section: its body lies at `start` up to `end` in the whole binary. */
export interface Section {
  id: number;
  start: number;
  end: number;
}

/** Rewrites sections of a wasm binary: `change` gives a section's new body, null to leave it out, undefined to keep it. */
export function rewriteModule(
  binary: Uint8Array,
  change: (section: Section) => readonly number[] | Uint8Array | null | undefined,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [binary.subarray(0, HEADER_BYTES)];
  let at = HEADER_BYTES;
  while (at < binary.length) {
    const id = binary[at]!;
    const [size, start] = readNumber(binary, at + 1);
    const end = start + size;
    const changed = change({ id, start, end });
    if (changed === undefined) parts.push(binary.subarray(at, end));
    else if (changed) parts.push(Uint8Array.from([id, ...writeNumber(changed.length)]), Uint8Array.from(changed));
    at = end;
  }
  return concatenate(parts);
}

/**
 * Gives a module with one memory its maximum: `pages` (of 64 KiB) above what it starts with. This is what bounds the
 * guest: its runtime dies where it cannot grow.
 */
export function limitMemory(
  binary: Uint8Array,
  pages: number,
): { bytes: Uint8Array<ArrayBuffer>; baselinePages: number } {
  let baselinePages = 0;
  const bytes = rewriteModule(binary, ({ id, start }) => {
    if (id !== SECTION.memory) return undefined;
    baselinePages = readMemory(binary, start);
    return writeMemory(baselinePages, baselinePages + pages);
  });
  return { bytes, baselinePages };
}

/** Pages the module's only memory starts with. */
export function readMemory(binary: Uint8Array, start: number): number {
  const [count, flagsAt] = readNumber(binary, start);
  if (count !== 1) throw new Error('a module with one memory was expected');
  return readNumber(binary, flagsAt + 1)[0];
}

/** The body of a memory section: one memory with a maximum. */
export function writeMemory(initialPages: number, maximumPages: number): number[] {
  return [1, 1, ...writeNumber(initialPages), ...writeNumber(maximumPages)];
}

/** Reads an unsigned LEB128 number: its value and where the next byte is. */
export function readNumber(bytes: Uint8Array, start: number): [value: number, next: number] {
  let value = 0;
  let factor = 1;
  for (let at = start; ; at++) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte < 0x80) return [value, at + 1];
  }
}

/** Writes an unsigned LEB128 number. */
export function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}

/** Joins byte arrays. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
