import type * as z from 'zod';
import { configSchema } from './schema.ts';

/** A place in the configuration, e.g. `['upstream', 0, 'url']`. */
export type Path = readonly (string | number)[];

/** What a leaf of the schema holds; `list` is a list of texts. */
export type LeafKind = 'text' | 'number' | 'boolean' | 'list';

/** The parts of a zod definition that the walk below needs. */
interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
}

/** The definition below `optional`, `default` and the like. */
function definitionOf(schema: z.core.$ZodType): Definition {
  let definition = schema._zod.def as Definition;
  while (definition.innerType) definition = definition.innerType._zod.def as Definition;
  return definition;
}

/** The schema at a path, undefined where the schema has no such place. */
function definitionAt(path: Path): Definition | undefined {
  let definition = definitionOf(configSchema);
  for (const step of path) {
    const below =
      typeof step === 'number' ? definition.element : (definition.valueType ?? ownProperty(definition.shape, step));
    if (!below) return undefined;
    definition = definitionOf(below);
  }
  return definition;
}

function ownProperty<T>(object: Record<string, T> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

function leafKindOf(definition: Definition): LeafKind | undefined {
  if (definition.type === 'string' || definition.type === 'enum') return 'text';
  if (definition.type === 'number' || definition.type === 'boolean') return definition.type;
  if (definition.type === 'array' && definition.element && leafKindOf(definitionOf(definition.element)) === 'text') {
    return 'list';
  }
  return undefined;
}

/** What the schema expects at a path, where it is a leaf. */
export function leafKindAt(path: Path): LeafKind | undefined {
  const definition = definitionAt(path);
  return definition && leafKindOf(definition);
}

/** The keys the schema knows at a path (empty where any key may stand). */
export function knownKeysAt(path: Path): string[] {
  return Object.keys(definitionAt(path)?.shape ?? {});
}

/** Paths of every key that the environment can set: leaves outside lists of objects, free-form maps and `deploy`. */
export function settableKeys(): string[][] {
  const found: string[][] = [];
  const walk = (definition: Definition, path: string[]) => {
    for (const [key, schema] of Object.entries(definition.shape ?? {})) {
      const below = definitionOf(schema);
      // A deployment is made by its file alone.
      if (path.length === 0 && key === 'deploy') continue;
      if (leafKindOf(below)) found.push([...path, key]);
      else walk(below, [...path, key]);
    }
  };
  walk(definitionOf(configSchema), []);
  return found;
}

/** A path as a reader writes it: `upstream[0].url`; keys that are no identifiers are quoted. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text ? `.${step}` : step;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
