/** Unit in which a snapshot leaves out empty memory, bytes. */
const CHUNK_BYTES = 4096;
const EMPTY = new Uint8Array(CHUNK_BYTES);
/** Held from the start: a hardened worker has no such global. Native, since a new worker's own code is still slow. */
const { compare } = Buffer;

/** A guest's memory as it was at one moment. */
export interface MemorySnapshot {
  /** Puts the whole memory back, whatever was done to it; what has grown since becomes empty. */
  restore(): void;
}

/** Keeps what a guest's memory holds now. Most of it is empty and is not kept, only emptied again. */
export function takeSnapshot(memory: WebAssembly.Memory): MemorySnapshot {
  const bytes = new Uint8Array(memory.buffer);
  const isEmpty = (at: number) => compare(bytes.subarray(at, at + CHUNK_BYTES), EMPTY) === 0;
  const pieces: { at: number; bytes: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const from = at;
    while (at < bytes.length && !isEmpty(at)) at += CHUNK_BYTES;
    if (at > from) pieces.push({ at: from, bytes: bytes.slice(from, at) });
    while (at < bytes.length && isEmpty(at)) at += CHUNK_BYTES;
  }
  let view = bytes;
  return {
    restore() {
      if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer);
      let end = 0;
      for (const piece of pieces) {
        view.fill(0, end, piece.at);
        view.set(piece.bytes, piece.at);
        end = piece.at + piece.bytes.length;
      }
      view.fill(0, end);
    },
  };
}
