import type { Json, JsonObject } from '../json.ts';
import { type Field, readSchema, type Shape, type ShapedSchema } from './shape.ts';

const SAMPLE_TEXT = 'example';
const SAMPLE_DEPTH = 6;
const BY_FORMAT: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
};

/** The smallest argument an input schema accepts, for example scripts: required properties only. */
export function sampleArguments(inputSchema: JsonObject): JsonObject {
  const schema = readSchema(inputSchema);
  const sample = sampleOf(schema.shape, schema, SAMPLE_DEPTH);
  return typeof sample === 'object' && sample !== null && !Array.isArray(sample) ? sample : {};
}

function sampleOf(shape: Shape, schema: ShapedSchema, depth: number): Json {
  if (depth === 0) return null;
  switch (shape.kind) {
    case 'primitive':
      return samplePrimitive(shape.name, shape.schema);
    case 'literal':
      return shape.value;
    case 'array':
      return Array.from({ length: shape.minItems }, () => sampleOf(shape.of, schema, depth - 1)).slice(0, 3);
    case 'tuple':
      return shape.items.map((item) => sampleOf(item, schema, depth - 1));
    case 'object': {
      const required = shape.fields.filter((field) => field.required);
      return Object.fromEntries(required.map((field) => [field.name, sampleField(field, schema, depth - 1)]));
    }
    case 'union':
      return sampleOf(shape.of[0] ?? { kind: 'any' }, schema, depth);
    case 'intersection': {
      const parts = shape.of.map((one) => sampleOf(one, schema, depth - 1));
      const objects = parts.filter((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
      return objects.length === parts.length ? (Object.assign({}, ...objects) as JsonObject) : (parts[0] ?? null);
    }
    case 'reference':
      return sampleOf(schema.definitions.get(shape.pointer) ?? { kind: 'any' }, schema, depth - 1);
    default:
      return SAMPLE_TEXT;
  }
}

function sampleField(field: Field, schema: ShapedSchema, depth: number): Json {
  const given = field.examples?.[0] ?? field.default;
  if (given !== undefined && (given === null || typeof given !== 'object')) return given;
  const sample = sampleOf(field.shape, schema, depth);
  if (sample !== SAMPLE_TEXT) return sample;
  if (/ur[li]$/i.test(field.name)) return BY_FORMAT['uri']!;
  return /(path|file|filename)$/i.test(field.name) ? `${SAMPLE_TEXT}.txt` : sample;
}

function samplePrimitive(name: string, schema: JsonObject): Json {
  if (name === 'boolean') return true;
  if (name === 'null') return null;
  if (name !== 'string') {
    const least = Number(schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? 0) + 1);
    const most = Number(schema['maximum'] ?? Number.POSITIVE_INFINITY);
    return Math.min(Math.max(1, Math.ceil(least)), most);
  }
  const format = typeof schema['format'] === 'string' ? BY_FORMAT[schema['format']] : undefined;
  const text = format ?? SAMPLE_TEXT;
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY);
  return text.padEnd(Math.min(least, 100), 'x').slice(0, most);
}
