import type { Shape, ShapedSchema } from './shape.ts';

/** A field as a language writes it. */
interface WrittenField {
  name: string;
  required: boolean;
  type: string;
}

/** How a language writes types down. */
export interface Notation {
  any: string;
  /** An object or array of which no more is told. */
  object: string;
  array: string;
  primitive(name: 'string' | 'number' | 'integer' | 'boolean' | 'null'): string;
  literal(value: string | number | boolean | null): string;
  arrayOf(type: string): string;
  tuple(items: string[], rest?: string): string;
  fields(fields: WrittenField[], rest?: string): string;
  record(type: string): string;
  union(types: string[]): string;
  intersection(types: string[]): string;
  /** The name of a declared definition, where the language declares them. */
  reference?(pointer: string): string | undefined;
}

/** Alternatives of one union written out; the rest is summed up. */
const MAX_ALTERNATIVES = 12;
/** Fields of one object written out. */
const MAX_FIELDS = 40;
/** Nesting tried first; less where the text would be longer than allowed. */
const MAX_DEPTH = 8;

/** Writes a schema's type in at most `max` characters, by telling less of what lies deep; at worst the bare kind. */
export function writeType(schema: ShapedSchema, notation: Notation, max: number): string {
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const text = writeShape(schema.shape, schema, notation, { depth, left: max });
    if (text !== undefined && text.length <= max) return text;
  }
  return writeShape(schema.shape, schema, notation, { depth: 0, left: max }) ?? notation.any;
}

/** Writes one shape; `undefined` as soon as it is clear that more than `left` characters are needed. */
export function writeShape(
  root: Shape,
  schema: ShapedSchema,
  notation: Notation,
  room: { depth: number; left: number },
): string | undefined {
  let left = room.left;
  let full = false;
  const spend = (text: string): string => {
    left -= text.length;
    if (left < 0) full = true;
    return text;
  };

  function write(shape: Shape, depth: number, above: readonly string[]): string {
    if (full) return '';
    switch (shape.kind) {
      case 'any':
      case 'never':
        return spend(notation.any);
      case 'primitive':
        return spend(notation.primitive(shape.name));
      case 'literal':
        return spend(notation.literal(shape.value));
      case 'array':
        return depth === 0 ? spend(notation.array) : notation.arrayOf(write(shape.of, depth - 1, above));
      case 'tuple': {
        if (depth === 0) return spend(notation.array);
        const items = shape.items.map((item) => write(item, depth - 1, above));
        return notation.tuple(items, shape.rest && write(shape.rest, depth - 1, above));
      }
      case 'object':
        return writeObject(shape, depth, above);
      case 'union':
        return writeUnion(shape.of, depth, above);
      case 'intersection':
        return notation.intersection(unique(shape.of.map((one) => write(one, depth, above))));
      case 'reference': {
        const name = notation.reference?.(shape.pointer);
        if (name !== undefined) return spend(name);
        const target = schema.definitions.get(shape.pointer);
        if (!target || above.includes(shape.pointer)) return spend(notation.any);
        return write(target, depth, [...above, shape.pointer]);
      }
    }
  }

  function writeObject(shape: Extract<Shape, { kind: 'object' }>, depth: number, above: readonly string[]): string {
    if (shape.fields.length === 0 && shape.rest?.kind === 'any') return spend(notation.object);
    if (depth === 0) return spend(notation.object);
    if (shape.fields.length === 0 && shape.rest) return notation.record(write(shape.rest, depth - 1, above));
    const shown = shape.fields.slice(0, MAX_FIELDS);
    const fields = shown.map((field) => ({
      name: spend(field.name),
      required: field.required,
      type: write(field.shape, depth - 1, above),
    }));
    const cut = shape.fields.length > shown.length;
    return notation.fields(fields, cut || shape.rest ? notation.any : undefined);
  }

  function writeUnion(shapes: readonly Shape[], depth: number, above: readonly string[]): string {
    const types = unique(shapes.slice(0, MAX_ALTERNATIVES).map((shape) => write(shape, depth, above)));
    if (shapes.length <= MAX_ALTERNATIVES) return notation.union(types);
    const others = shapes.slice(MAX_ALTERNATIVES);
    const strings = others.every((shape) => shape.kind === 'literal' && typeof shape.value === 'string');
    return notation.union([...types, strings ? notation.primitive('string') : notation.any]);
  }

  const text = write(root, room.depth, []);
  return full ? undefined : text;
}

function unique(types: string[]): string[] {
  return [...new Set(types)];
}
