import { gunzipSync, gzipSync } from 'node:zlib';

/** DynamoDB takes items of 400 kB, their other attributes included. */
const MAX_PART_BYTES = 350_000;

/** A text gzipped, in parts that each fit into one item of the table; at least one. */
export function packText(text: string): Uint8Array[] {
  const packed = gzipSync(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += MAX_PART_BYTES) parts.push(packed.subarray(at, at + MAX_PART_BYTES));
  return parts;
}

/** The text that was packed. Throws where parts are missing or damaged. */
export function unpackText(parts: readonly Uint8Array[]): string {
  return gunzipSync(Buffer.concat(parts)).toString('utf8');
}
