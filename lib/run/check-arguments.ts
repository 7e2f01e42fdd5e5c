import type { OutputUnit, Schema, SchemaDraft } from '@cfworker/json-schema';
import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { nearest } from '../nearest.ts';

/** Problems told at once; more would only hide the first. */
const MAX_PROBLEMS = 3;

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

/** Keywords whose branches' own errors contradict each other: only the choice itself is told. */
const CHOICES = new Set(['anyOf', 'oneOf']);

const validators = new WeakMap<JsonObject, Validator | null>();

/**
 * What is wrong with a call's arguments by the tool's own schema, naming field and expectation; undefined where nothing
 * is, or where the schema cannot be checked (the upstream is then the judge). Formats are the upstream's to judge too.
 */
export function checkArguments(schema: JsonObject, args: JsonObject): string | undefined {
  const validator = validatorOf(schema);
  if (!validator) return undefined;
  let errors: OutputUnit[];
  try {
    errors = validator.validate(args).errors;
  } catch {
    return undefined;
  }
  const choices = errors
    .filter(({ keyword }) => CHOICES.has(keyword))
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  const problems = errors
    .filter(({ keyword }) => keyword !== 'format' && !WRAPPERS.has(keyword))
    .filter(({ keywordLocation }) => !choices.some((choice) => keywordLocation.startsWith(choice)))
    .map((error) => problem(error, schema, args));
  return problems.length === 0 ? undefined : [...new Set(problems)].slice(0, MAX_PROBLEMS).join('; ');
}

function validatorOf(schema: JsonObject): Validator | null {
  let validator = validators.get(schema);
  if (validator === undefined) {
    try {
      // The library writes into the schema it is given; ours goes out to clients, so it gets a copy.
      validator = new Validator(structuredClone(schema) as Schema, draftOf(schema), false);
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
  const path = error.instanceLocation.split('/').slice(1).map(unescapePointer);
  const field = path.length === 0 ? 'the arguments' : `\`${path.join('.')}\``;
  const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], args);
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
  const name = /required property "(.*)"/.exec(error.error)?.[1] ?? '';
  const known = propertiesAt(schema, path);
  const given = isJsonObject(value) ? Object.keys(value).filter((key) => !(key in known)) : [];
  const mistyped = nearest(name, given);
  const type = isJsonObject(known[name]) ? known[name].type : undefined;
  const typed = type === undefined ? '' : ` (${[type].flat().join(' or ')})`;
  const hint = mistyped === undefined ? '' : `: you gave \`${mistyped}\``;
  return `\`${[...path, name].join('.')}\`${typed} is missing${hint}`;
}

function unknownKey(path: string[], schema: JsonObject): string {
  const key = path.at(-1) ?? '';
  const known = Object.keys(propertiesAt(schema, path.slice(0, -1)));
  const near = nearest(key, known);
  const hint = near === undefined ? `the keys are ${known.join(', ') || 'none'}` : `did you mean \`${near}\`?`;
  return `\`${path.join('.')}\` is not a known key: ${hint}`;
}

/** The schema's `properties` at a path of plain nested objects; elsewhere (behind `$ref`, `anyOf`) none. */
function propertiesAt(schema: JsonObject, path: string[]): JsonObject {
  let at: unknown = schema;
  for (const key of path) at = isJsonObject(at) && isJsonObject(at.properties) ? at.properties[key] : undefined;
  return isJsonObject(at) && isJsonObject(at.properties) ? at.properties : {};
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
