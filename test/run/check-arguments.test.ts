import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { checkArguments } from '../../lib/run/check-arguments.ts';

const file: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    head: { type: 'integer', minimum: 1 },
    mode: { enum: ['text', 'binary'] },
    opts: { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
    target: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    tags: { type: 'array', items: { type: 'string' } },
    url: { type: 'string', format: 'uri' },
  },
  required: ['path'],
  additionalProperties: false,
};

describe('an argument check', () => {
  it.each<[JsonObject, string]>([
    [{}, '`path` (string) is missing'],
    [{ pth: '/x' }, '`path` (string) is missing: you gave `pth`; `pth` is not a known key: did you mean `path`?'],
    [{ path: 3 }, '`path` must be string, not number'],
    [{ path: null }, '`path` must be string, not null'],
    [{ path: '/', head: 1.5 }, '`head` must be integer, not number'],
    [{ path: '/', head: 0 }, '`head`: 0 is less than 1'],
    [{ path: '/', mode: 'txt' }, '`mode` must be one of ["text","binary"], not "txt"'],
    [{ path: '/', opts: {} }, '`opts.deep` (boolean) is missing'],
    [{ path: '/', target: true }, '`target` has none of the forms its schema allows: true'],
    [{ path: '/', tags: ['a', 2] }, '`tags.1` must be string, not number'],
    [{ path: '/', zzz: 1 }, '`zzz` is not a known key: the keys are path, head, mode, opts, target, tags, url'],
  ])('of %j says: %s', (args, told) => {
    expect(checkArguments(file, args)).toBe(told);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{}, { text: 'x' }, '`message` (string) is missing; `text` is not a known key: the keys are message, times'],
    [{}, { msg: 'x', tims: 1 }, '`message` (string) is missing; `msg` is not a known key: the keys are message, times'],
    [{}, { mesage: 'x' }, '`message` (string) is missing: you gave `mesage`'],
    [{}, { times: 1 }, '`message` (string) is missing'],
    [{ additionalProperties: true }, { text: 'x' }, '`message` (string) is missing'],
    [{ allOf: [{ properties: { text: {} } }] }, { text: 'x' }, '`message` (string) is missing'],
  ])(
    'by a schema that bars no other keys (%j) names the unknown one of %j where another is missing',
    (rest, args, told) => {
      const properties = { message: { type: 'string' }, times: { type: 'integer' } };
      expect(checkArguments({ type: 'object', properties, required: ['message'], ...rest }, args)).toBe(told);
    },
  );

  it('names an unknown key once where several are missing', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    expect(checkArguments({ type: 'object', properties, required: ['a', 'b'] }, { text: 'x' })).toBe(
      '`a` (string) is missing; `text` is not a known key: the keys are a, b; `b` (string) is missing',
    );
  });

  it.each<JsonObject>([
    { path: '/', head: 3, mode: 'text', opts: { deep: true }, target: 1, tags: [] },
    { path: '/', url: 'not a uri: the upstream is the judge of formats' },
  ])('passes %j', (args) => {
    expect(checkArguments(file, args)).toBeUndefined();
  });

  it.each<JsonObject>([
    { type: 'object', properties: { a: { $ref: 'https://elsewhere.example/schema.json' } } },
    { type: 'object', properties: { a: { type: 'string', pattern: '(?<broken' } } },
    { type: 'object', $ref: '#/$defs/missing' },
  ])('passes whatever a schema that cannot be checked is given: %j', (schema) => {
    expect(checkArguments(schema, { a: 'x' })).toBeUndefined();
  });

  it.each<JsonObject>([
    // Thirty letters would keep this one busy for minutes, on the thread that serves everyone.
    { type: 'object', properties: { a: { type: 'string', pattern: '^(\\w+\\s?)*$' } } },
    { type: 'object', properties: { a: { not: { pattern: '^y' } } } },
    { type: 'object', properties: { a: { oneOf: [{ pattern: '^x' }, { pattern: '!$' }] } } },
    { type: 'object', patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false },
  ])('matches no text of a script against a pattern of a server: %j', (schema) => {
    expect(checkArguments(schema, { a: `${'a'.repeat(60)}!` })).toBeUndefined();
  });

  it('still checks what has a pattern for its type', () => {
    const schema = { type: 'object', properties: { pattern: { type: 'string', pattern: '^(a+)+$' } } };
    expect(checkArguments(schema, { pattern: 3 })).toBe('`pattern` must be string, not number');
  });

  it('leaves arguments of more than 2,000 values to the upstream', () => {
    const items = (count: number) => Array.from({ length: count }, () => 1);
    expect(checkArguments(file, { path: '/', tags: items(1990) })).toContain('`tags.0` must be string');
    expect(checkArguments(file, { path: '/', tags: items(2001) })).toBeUndefined();
    expect(checkArguments(file, { path: '/', opts: { deep: items(40).map(() => items(60)) } })).toBeUndefined();
  });

  it('follows references inside the schema, also to itself', () => {
    const tree: JsonObject = {
      type: 'object',
      properties: { left: { $ref: '#' }, value: { $ref: '#/$defs/value' } },
      $defs: { value: { type: 'number' } },
    };
    expect(checkArguments(tree, { left: { left: { value: 'x' } } })).toBe(
      '`left.left.value` must be number, not string',
    );
  });

  it('leaves the schema as it was: it also goes out to clients', () => {
    const before = structuredClone(file);
    checkArguments(file, { path: 1 });
    expect(file).toEqual(before);
  });

  it('repeats of a key of a million letters the beginning', () => {
    const long = `path${'x'.repeat(1024 * 1024)}`;
    const shown = `path${'x'.repeat(195)}…`;
    expect(checkArguments(file, { [long]: 1 })).toBe(
      `\`path\` (string) is missing: you gave \`${shown}\`; \`${shown}\` is not a known key: the keys are path, head, mode, opts, target, tags, url`,
    );
    const inside = { type: 'object', additionalProperties: { type: 'string' } };
    expect(checkArguments(inside, { [long]: 1 })).toBe(`\`${shown}\` must be string, not number`);
  });

  it('tells three problems at most', () => {
    const schema: JsonObject = { type: 'object', required: ['a', 'b', 'c', 'd'] };
    expect(checkArguments(schema, {})!.split('; ')).toHaveLength(3);
  });
});
