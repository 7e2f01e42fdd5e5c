import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';
import { shownName } from '../shown-name.ts';

/** Problems told at once; more would only hide the first. */
const MAX_PROBLEMS = 3;

/**
 * Values (array items, object members, at any depth) a check looks at, on the thread that serves everyone: what a script
 * sends beyond that is the upstream's to judge.
 */
const MAX_CHECKED_VALUES = 2000;

/**
 * Keywords that match a script's text against a server's pattern. They are the upstream's to judge: there are patterns
 * that thirty letters keep busy for minutes, and nothing here could stop them.
 */
const PATTERNS = new Set(['pattern', 'format']);

/** Keywords below which a looser schema can refuse more. */
const TURNING = new Set(['not', 'if', 'oneOf', 'contains']);

/** Keywords whose members are schemas by name, not keywords. */
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Keywords whose value is data, whatever it looks like. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'example']);

/** Keywords that only repeat what the errors below them say. */
const WRAPPERS = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'if',
]);

/** Keywords by which an object may have keys that its `properties` do not name, or bars them itself. */
const OTHER_KEYS = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  '$ref',
  '$dynamicRef',
];

/** Keywords whose branches' own errors contradict each other: only the choice itself is told. */
const CHOICES = new Set(['anyOf', 'oneOf']);

const validators = new WeakMap<JsonObject, Validator | null>();

/**
 * What is wrong with a call's arguments by the tool's own schema, naming field and expectation; undefined where nothing
 * is, or where it cannot be checked here (the upstream is then the judge). Patterns and formats are the upstream's too.
 */
export function checkArguments(schema: JsonObject, args: JsonObject): string | undefined {
  const validator = validatorOf(schema);
  if (!validator || !isSmall(args)) return undefined;
  let errors: OutputUnit[];
  try {
    errors = validator.validate(args).errors;
  } catch {
    return undefined;
  }
  const choices = errors
    .filter(({ keyword }) => CHOICES.has(keyword))
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  const problems = new Set<string>();
  for (const error of errors) {
    if (WRAPPERS.has(error.keyword) || choices.some((choice) => error.keywordLocation.startsWith(choice))) continue;
    problems.add(problem(error, schema, args));
    const stray = strayKey(error, schema, args);
    if (stray !== undefined) problems.add(stray);
    if (problems.size >= MAX_PROBLEMS) break;
  }
  return problems.size === 0 ? undefined : [...problems].join('; ');
}

/** Whether a value holds few enough values to be checked; without recursion, for it may be nested deep. */
function isSmall(value: unknown): boolean {
  const open = [value];
  let seen = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    const members = Array.isArray(at) ? at : Object.values(at);
    seen += members.length;
    if (seen > MAX_CHECKED_VALUES) return false;
    for (const member of members) open.push(member);
  }
  return true;
}

/** A schema without its patterns; throws where leaving them out would make it refuse what it should not. */
function withoutPatterns(schema: unknown, turned = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item, turned));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'patternProperties' || (turned && PATTERNS.has(key))) throw new Error(`${key} decides what is refused`);
    if (PATTERNS.has(key)) continue;
    const below = turned || TURNING.has(key);
    if (DATA.has(key)) kept.push([key, structuredClone(value)]);
    else if (NAMED_SCHEMAS.has(key) && isJsonObject(value)) {
      const named = Object.entries(value).map(([name, inner]) => [name, withoutPatterns(inner, below)]);
      kept.push([key, Object.fromEntries(named)]);
    } else kept.push([key, withoutPatterns(value, below)]);
  }
  return Object.fromEntries(kept);
}

function validatorOf(schema: JsonObject): Validator | null {
  let validator = validators.get(schema);
  if (validator === undefined) {
    try {
      // The library writes into the schema it is given; ours goes out to clients, so it gets a copy.
      validator = new Validator(withoutPatterns(schema) as Schema, draftOf(schema), false);
    } catch {
      validator = null;
    }
    validators.set(schema, validator);
  }
  return validator;
}

function draftOf(schema: JsonObject): SchemaDraft {
  const uri = String(schema.$schema ?? '');
  if (uri.includes('draft-04')) return '4';
  if (/draft-0[67]/.test(uri)) return '7';
  return uri.includes('2019-09') ? '2019-09' : '2020-12';
}

function problem(error: OutputUnit, schema: JsonObject, args: JsonObject): string {
  const path = pathOf(error);
  const field = path.length === 0 ? 'the arguments' : `\`${path.map(shownName).join('.')}\``;
  const value = valueAt(args, path);
  switch (error.keyword) {
    case 'required':
      return missing(error, path, value, schema);
    case 'false':
      return unknownKey(path, schema);
    case 'type':
      return `${field} must be ${expected(error, /Expected "(.*)"/s).replaceAll('", "', ' or ')}, not ${kindOf(value)}`;
    case 'enum':
      return `${field} must be one of ${expected(error, /any of (.*)\.$/s)}, not ${shown(value)}`;
    case 'const':
      return `${field} must be ${expected(error, /match (.*)\.$/s)}, not ${shown(value)}`;
    case 'anyOf':
    case 'oneOf':
      return `${field} has none of the forms its schema allows: ${shown(value)}`;
    default:
      return `${field}: ${error.error.replace(/\.$/, '')}`;
  }
}

/** The library tells what it expected in its English only. */
function expected(error: OutputUnit, pattern: RegExp): string {
  return pattern.exec(error.error)?.[1] ?? error.error;
}

function missing(error: OutputUnit, path: string[], value: unknown, schema: JsonObject): string {
  const name = missingName(error);
  const known = propertiesAt(schema, path);
  const mistyped = nearest(name, unknownKeys(value, known));
  const type = isJsonObject(known[name]) ? known[name].type : undefined;
  const typed = type === undefined ? '' : ` (${[type].flat().join(' or ')})`;
  const hint = mistyped === undefined ? '' : `: you gave \`${shownName(mistyped)}\``;
  return `\`${[...path, name].map(shownName).join('.')}\`${typed} is missing${hint}`;
}

/** Where a key is missing, the key given in its place: most schemas bar none, so nothing else tells of it. */
function strayKey(error: OutputUnit, schema: JsonObject, args: JsonObject): string | undefined {
  if (error.keyword !== 'required') return undefined;
  const path = pathOf(error);
  const owner = schemaAt(schema, path);
  if (!owner || OTHER_KEYS.some((keyword) => keyword in owner)) return undefined;
  const given = unknownKeys(valueAt(args, path), propertiesAt(schema, path));
  const stray = nearest(missingName(error), given) === undefined ? given[0] : undefined;
  return stray === undefined ? undefined : unknownKey([...path, stray], schema);
}

function missingName(error: OutputUnit): string {
  return /required property "(.*)"/.exec(error.error)?.[1] ?? '';
}

function unknownKeys(value: unknown, known: JsonObject): string[] {
  return isJsonObject(value) ? Object.keys(value).filter((key) => !Object.hasOwn(known, key)) : [];
}

function unknownKey(path: string[], schema: JsonObject): string {
  const key = path.at(-1) ?? '';
  const known = Object.keys(propertiesAt(schema, path.slice(0, -1)));
  const near = nearest(key, known);
  const hint = near === undefined ? `the keys are ${known.join(', ') || 'none'}` : `did you mean \`${near}\`?`;
  return `\`${path.map(shownName).join('.')}\` is not a known key: ${hint}`;
}

/** The schema at a path of plain nested objects; elsewhere (behind `$ref`, `anyOf`) none. */
function schemaAt(schema: JsonObject, path: string[]): JsonObject | undefined {
  let at: unknown = schema;
  for (const key of path) at = isJsonObject(at) && isJsonObject(at.properties) ? at.properties[key] : undefined;
  return isJsonObject(at) ? at : undefined;
}

function propertiesAt(schema: JsonObject, path: string[]): JsonObject {
  const properties = schemaAt(schema, path)?.properties;
  return isJsonObject(properties) ? properties : {};
}

function pathOf(error: OutputUnit): string[] {
  return error.instanceLocation.split('/').slice(1).map(unescapePointer);
}

function valueAt(args: JsonObject, path: string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], args);
}

function unescapePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
