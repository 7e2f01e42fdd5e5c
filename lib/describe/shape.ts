import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** What a JSON Schema says of a value, in the little that the languages can write down. */
export type Shape =
  | { kind: 'any' }
  | { kind: 'never' }
  | { kind: 'primitive'; name: 'string' | 'number' | 'integer' | 'boolean' | 'null'; schema: JsonObject }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'array'; of: Shape; minItems: number }
  | { kind: 'tuple'; items: Shape[]; rest?: Shape }
  | { kind: 'object'; fields: Field[]; rest?: Shape }
  | { kind: 'union'; of: Shape[] }
  | { kind: 'intersection'; of: Shape[] }
  | { kind: 'reference'; pointer: string };

/** One property of an object. */
export interface Field {
  name: string;
  required: boolean;
  shape: Shape;
  description?: string;
  default?: Json;
  examples?: Json[];
}

/** A schema read: its own shape, and those its references point at, by pointer (`#/$defs/Node`). */
export interface ShapedSchema {
  shape: Shape;
  definitions: ReadonlyMap<string, Shape>;
}

/** Schema nodes read of one tool; a schema beyond it (a hostile or generated one) is `any` from there on. */
const MAX_SCHEMA_NODES = 4000;
/** Nesting of inline schemas read. */
const MAX_SCHEMA_DEPTH = 32;

const ANY: Shape = { kind: 'any' };
const PRIMITIVES = ['string', 'number', 'integer', 'boolean', 'null'] as const;

/** Schemas read before: a sheet looks at each several times, and the catalogue keeps them. */
const known = new WeakMap<JsonObject, ShapedSchema>();

/** Reads a JSON Schema of any draft; what it does not understand is `any`. Never throws. */
export function readSchema(root: unknown): ShapedSchema {
  if (!isJsonObject(root)) return shapeOf(root);
  const shaped = known.get(root) ?? shapeOf(root);
  known.set(root, shaped);
  return shaped;
}

function shapeOf(root: unknown): ShapedSchema {
  const definitions = new Map<string, Shape>();
  let nodes = 0;

  function read(node: unknown, depth: number): Shape {
    if (node === false) return { kind: 'never' };
    if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH || ++nodes > MAX_SCHEMA_NODES) return ANY;
    const parts: Shape[] = [];
    if (typeof node['$ref'] === 'string') parts.push(reference(node['$ref']));
    parts.push(own(node, depth));
    for (const key of ['oneOf', 'anyOf'] as const) {
      if (Array.isArray(node[key])) parts.push(union(node[key].map((member) => read(member, depth + 1))));
    }
    if (Array.isArray(node['allOf'])) parts.push(...node['allOf'].map((member) => read(member, depth + 1)));
    const shape = intersection(parts);
    return node['nullable'] === true ? union([shape, nullShape]) : shape;
  }

  function own(node: JsonObject, depth: number): Shape {
    if ('const' in node) return literal(node['const']);
    if (Array.isArray(node['enum'])) return union(node['enum'].map(literal));
    const type = node['type'];
    if (Array.isArray(type)) return union(type.map((one) => ofType(one, node, depth)));
    if (type !== undefined) return ofType(type, node, depth);
    if (isJsonObject(node['properties']) || isJsonObject(node['patternProperties'])) return object(node, depth);
    if ('items' in node || 'prefixItems' in node) return array(node, depth);
    return ANY;
  }

  function ofType(type: unknown, node: JsonObject, depth: number): Shape {
    if (type === 'object') return object(node, depth);
    if (type === 'array') return array(node, depth);
    const name = PRIMITIVES.find((primitive) => primitive === type);
    return name ? { kind: 'primitive', name, schema: node } : ANY;
  }

  function object(node: JsonObject, depth: number): Shape {
    const properties = isJsonObject(node['properties']) ? node['properties'] : {};
    const required = Array.isArray(node['required']) ? node['required'].filter((name) => typeof name === 'string') : [];
    const fields = Object.entries(properties).map(([name, schema]) =>
      fieldOf(name, schema, required.includes(name), read(schema, depth + 1)),
    );
    for (const name of required) {
      if (!Object.hasOwn(properties, name)) fields.push({ name, required: true, shape: ANY });
    }
    const patterns = isJsonObject(node['patternProperties']) ? Object.values(node['patternProperties']) : [];
    const open = [...patterns, ...('additionalProperties' in node ? [node['additionalProperties']] : [])];
    const rest = union(open.filter((schema) => schema !== false).map((schema) => read(schema, depth + 1)));
    if (rest.kind !== 'never') return { kind: 'object', fields, rest };
    return fields.length === 0 && open.length === 0
      ? { kind: 'object', fields, rest: ANY }
      : { kind: 'object', fields };
  }

  function array(node: JsonObject, depth: number): Shape {
    const prefix = Array.isArray(node['prefixItems']) ? node['prefixItems'] : node['items'];
    if (!Array.isArray(prefix)) {
      const minItems = typeof node['minItems'] === 'number' ? node['minItems'] : 0;
      return { kind: 'array', of: read(node['items'], depth + 1), minItems };
    }
    const items = prefix.map((item) => read(item, depth + 1));
    const after = Array.isArray(node['items']) ? node['additionalItems'] : node['items'];
    return after === undefined || after === false
      ? { kind: 'tuple', items }
      : { kind: 'tuple', items, rest: read(after, depth + 1) };
  }

  function reference(pointer: string): Shape {
    if (!definitions.has(pointer)) {
      const target = pointer === '#' ? root : lookUp(root, pointer);
      if (target === undefined) return ANY;
      definitions.set(pointer, ANY);
      definitions.set(pointer, read(target, 0));
    }
    return { kind: 'reference', pointer };
  }

  const shape = read(root, 0);
  return { shape, definitions: unlooped(definitions) };
}

/** Whether a tool's input schema names no parameters at all. */
export function takesNothing({ shape }: ShapedSchema): boolean {
  return shape.kind === 'any' || (shape.kind === 'object' && shape.fields.length === 0);
}

const nullShape: Shape = { kind: 'primitive', name: 'null', schema: {} };

function fieldOf(name: string, schema: unknown, required: boolean, shape: Shape): Field {
  const field: Field = { name, required, shape };
  if (!isJsonObject(schema)) return field;
  if (typeof schema['description'] === 'string') field.description = schema['description'];
  if (schema['default'] !== undefined) field.default = schema['default'];
  if (Array.isArray(schema['examples'])) field.examples = schema['examples'];
  return field;
}

function literal(value: Json): Shape {
  return value === null || typeof value !== 'object' ? { kind: 'literal', value } : ANY;
}

/** One shape for several alternatives; `any` among them swallows the rest. */
function union(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.of : [shape]));
  const kept = distinct(flat.filter((shape) => shape.kind !== 'never'));
  if (kept.some((shape) => shape.kind === 'any')) return ANY;
  if (kept.length === 0) return { kind: 'never' };
  return kept.length === 1 ? kept[0]! : { kind: 'union', of: kept };
}

/** One shape that is all of these; plain objects are merged, `any` says nothing. */
function intersection(shapes: Shape[]): Shape {
  const telling = distinct(shapes.filter((shape) => shape.kind !== 'any' && !isAnyObject(shape)));
  if (telling.length === 0) return shapes.find(isAnyObject) ?? ANY;
  const objects = telling.filter((shape) => shape.kind === 'object');
  const others = telling.filter((shape) => shape.kind !== 'object');
  const merged: Shape[] = objects.length > 1 ? [mergeObjects(objects)] : objects;
  const all = [...merged, ...others];
  return all.length === 1 ? all[0]! : { kind: 'intersection', of: all };
}

function isAnyObject(shape: Shape): boolean {
  return shape.kind === 'object' && shape.fields.length === 0 && shape.rest?.kind === 'any';
}

function mergeObjects(objects: Extract<Shape, { kind: 'object' }>[]): Shape {
  const fields = new Map<string, Field>();
  for (const field of objects.flatMap((object) => object.fields)) {
    const before = fields.get(field.name);
    const shape = before ? intersection([before.shape, field.shape]) : field.shape;
    fields.set(field.name, { ...before, ...field, shape, required: field.required || (before?.required ?? false) });
  }
  const rest = objects.find((object) => object.rest)?.rest;
  return { kind: 'object', fields: [...fields.values()], ...(rest ? { rest } : {}) };
}

function distinct(shapes: Shape[]): Shape[] {
  const seen = new Set<string>();
  return shapes.filter((shape) => {
    const key = JSON.stringify(shape);
    return seen.has(key) ? false : seen.add(key);
  });
}

/** A definition that is itself with nothing between (`A = A | string`) says nothing: such references become `any`. */
function unlooped(definitions: Map<string, Shape>): Map<string, Shape> {
  const direct = new Map([...definitions].map(([pointer, shape]) => [pointer, directReferences(shape)]));
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set<string>();
    const open = [...(direct.get(from) ?? [])];
    for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
      if (pointer === to) return true;
      if (!seen.has(pointer)) open.push(...(direct.get(pointer) ?? []));
      seen.add(pointer);
    }
    return false;
  };
  const looping = new Set([...definitions.keys()].filter((pointer) => reaches(pointer, pointer)));
  const cut = (shape: Shape): Shape => {
    if (shape.kind === 'reference') return looping.has(shape.pointer) ? ANY : shape;
    if (shape.kind === 'union') return union(shape.of.map(cut));
    return shape.kind === 'intersection' ? intersection(shape.of.map(cut)) : shape;
  };
  return new Map([...definitions].map(([pointer, shape]) => [pointer, looping.has(pointer) ? cut(shape) : shape]));
}

function directReferences(shape: Shape): string[] {
  if (shape.kind === 'reference') return [shape.pointer];
  return shape.kind === 'union' || shape.kind === 'intersection' ? shape.of.flatMap(directReferences) : [];
}

function lookUp(root: unknown, pointer: string): unknown {
  if (!pointer.startsWith('#/')) return undefined;
  let node: unknown = root;
  for (const part of pointer.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = node[Number(key)];
    else if (isJsonObject(node) && Object.hasOwn(node, key)) node = node[key];
    else return undefined;
  }
  return node;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
