/** A part of a configuration that the schema may have found fault with: read with care. */
export type Raw = Record<string, unknown>;

/** The members of a list that hold keys and values, in their places; others are empty. */
export function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(rawOf) : [];
}

/** A value's keys and values; none where it has none. */
export function rawOf(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

/** A text; undefined where it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
