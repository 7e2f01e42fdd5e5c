import { describe, expect, it } from 'vitest';
import { describeFunctions } from '../../lib/describe/describe-functions.ts';
import { goNotation } from '../../lib/describe/go-type.ts';
import { luaNotation } from '../../lib/describe/lua-type.ts';
import { writeType } from '../../lib/describe/notation.ts';
import { readSchema } from '../../lib/describe/shape.ts';
import { javascriptNotation, typescriptNotation } from '../../lib/describe/typescript-type.ts';
import type { JsonObject } from '../../lib/json.ts';
import { compileTypescript } from '../support/compile-typescript.ts';
import { viewOf } from '../support/recorded-catalogues.ts';

const typescriptOf = (schema: unknown, max = 2000) => writeType(readSchema(schema), typescriptNotation, max);

const node: JsonObject = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['value'],
    },
  },
};

describe('a JSON Schema in TypeScript', () => {
  it.each<[string, unknown, string]>([
    ['nothing said', {}, 'any'],
    ['true', true, 'any'],
    ['a scalar', { type: 'string' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['nullable, as OpenAPI has it', { type: 'number', nullable: true }, 'number | null'],
    ['an enumeration', { enum: ['a', 2, true, null] }, '"a" | 2 | true | null'],
    ['a constant', { const: 'x' }, '"x"'],
    ['a list', { type: 'array', items: { type: 'number' } }, 'number[]'],
    ['a list of alternatives', { type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    ['a list of anything', { type: 'array' }, 'any[]'],
    ['a list of lists of objects', { items: { items: { properties: { a: {} } } } }, '{a?: any}[][]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      '[string, number]',
    ],
    [
      'a tuple with a rest',
      { prefixItems: [{ type: 'string' }], items: { type: ['number', 'null'] } },
      '[string, ...(number | null)[]]',
    ],
    [
      'a tuple of draft 7',
      { items: [{ type: 'string' }], additionalItems: { type: 'boolean' } },
      '[string, ...boolean[]]',
    ],
    [
      'an object',
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      '{a: string, b?: any}',
    ],
    ['a required name not described', { type: 'object', required: ['a'] }, '{a: any}'],
    ['any object', { type: 'object' }, 'object'],
    ['an empty object', { type: 'object', additionalProperties: false }, '{}'],
    ['a dictionary', { type: 'object', additionalProperties: { type: 'number' } }, '{[key: string]: number}'],
    ['a dictionary by pattern', { patternProperties: { '^x': { type: 'number' } } }, '{[key: string]: number}'],
    [
      'an open object',
      { properties: { a: { type: 'string' } }, additionalProperties: true },
      '{a?: string, [key: string]: any}',
    ],
    [
      'keys that are no identifiers',
      { properties: { 'a b': {}, $c: {}, '1': {} } },
      '{"1"?: any, "a b"?: any, $c?: any}',
    ],
    ['oneOf', { oneOf: [{ type: 'string' }, { properties: { a: {} } }] }, 'string | {a?: any}'],
    ['anyOf that repeats itself', { anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    ['anyOf with anything', { anyOf: [{ type: 'string' }, {}] }, 'any'],
    [
      'allOf of objects',
      { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: {} }, required: ['a'] }] },
      '{a: string, b?: any}',
    ],
    ['allOf of a reference', { allOf: [{ $ref: '#/$defs/s' }], $defs: { s: { type: 'string' } } }, 'string'],
    [
      'an object with alternatives',
      { properties: { a: {} }, oneOf: [{ properties: { b: {} } }, { properties: { c: {} } }] },
      '{a?: any} & ({b?: any} | {c?: any})',
    ],
    [
      'alternatives that only require',
      { properties: { a: {} }, anyOf: [{ required: ['a'] }, { not: {} }] },
      '{a?: any}',
    ],
    ['a reference', { $ref: '#/definitions/x', definitions: { x: { type: 'boolean' } } }, 'boolean'],
    ['a reference with escapes', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'boolean' } } }, 'boolean'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'any'],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }, 'any'],
    ['a reference to itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 'any'],
    [
      'references in a ring',
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'string' }] }, b: { $ref: '#/$defs/a' } },
      },
      'any',
    ],
    ['a recursive reference, inline', node, '{value: string, children?: any[]}'],
    ['the root within itself', { type: 'object', properties: { next: { $ref: '#' } } }, '{next?: {next?: any}}'],
    [
      'many alternatives',
      { enum: Array.from({ length: 20 }, (_, at) => `v${at}`) },
      `${Array.from({ length: 12 }, (_, at) => `"v${at}"`).join(' | ')} | string`,
    ],
    ['nonsense', { type: 'object', properties: 7, required: 'x', enum: 3, oneOf: {} }, 'object'],
  ])('%s', (_, schema, type) => {
    expect(typescriptOf(schema)).toBe(type);
  });

  it('tells less of what lies deep rather than pass its length', () => {
    const deep = (depth: number): JsonObject => ({
      type: 'object',
      properties: { name: { type: 'string' }, within: depth === 0 ? { type: 'string' } : deep(depth - 1) },
    });
    expect(typescriptOf(deep(3))).toBe(
      '{name?: string, within?: {name?: string, within?: {name?: string, within?: {name?: string, within?: string}}}}',
    );
    expect(typescriptOf(deep(3), 60)).toBe('{name?: string, within?: {name?: string, within?: object}}');
    expect(typescriptOf(deep(3), 10)).toBe('object');
  });

  it('takes a schema that multiplies itself, or never ends, in stride', () => {
    const defs: JsonObject = {};
    for (let at = 0; at < 60; at++) {
      const next = { $ref: `#/$defs/d${at + 1}` };
      defs[`d${at}`] = { type: 'object', properties: { left: next, right: next }, anyOf: [next, next] };
    }
    expect(typescriptOf({ $ref: '#/$defs/d0', $defs: defs }, 500).length).toBeLessThanOrEqual(500);
    let nested: JsonObject = { type: 'string' };
    for (let at = 0; at < 5_000; at++) nested = { type: 'array', items: nested };
    expect(typescriptOf(nested)).toMatch(/^any(\[\])+$/);
    const wide = { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])) };
    expect(typescriptOf(wide, 300).length).toBeLessThanOrEqual(300);
  });

  it('is declared by name where it is recursive or shared, once for equal definitions, and compiles', () => {
    const other = structuredClone(node) as { $defs: { node: { properties: JsonObject } } } & JsonObject;
    other.$defs.node.properties['value'] = { type: 'number' };
    const view = viewOf([
      {
        server: 'tree',
        tools: [
          { name: 'one', inputSchema: { type: 'object', properties: { root: node }, $defs: node['$defs']! } },
          { name: 'two', inputSchema: node, outputSchema: node },
          { name: 'three', inputSchema: other },
          { name: 'four', inputSchema: { type: 'object', properties: { again: { $ref: '#' } } } },
        ],
      },
    ]);
    const sheet = describeFunctions(view, 'typescript');
    expect(sheet).toContain('  type Node = {value: string, children?: Node[]};\n');
    expect(sheet).toContain('  type Node2 = {value: number, children?: Node2[]};\n');
    expect(sheet.match(/^ {2}type /gm)).toHaveLength(3);
    expect(sheet).toContain('function two(args: Node): Node;');
    expect(compileTypescript({ sheet })).toEqual([]);
  });
});

describe('the same schema in other languages', () => {
  const schema = readSchema({
    type: 'object',
    properties: {
      path: { type: 'string' },
      'max-count': { type: 'integer' },
      mode: { enum: ['r', 'w'] },
      tags: { type: 'array', items: { type: 'string' } },
      edits: { type: 'array', items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] } },
      end: { type: ['boolean', 'null'] },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['path'],
  });

  it.each([
    [
      'JavaScript',
      javascriptNotation,
      '{path: string, "max-count"?: number, mode?: "r"|"w", tags?: string[], edits?: {old: string}[], end?: boolean|null, labels?: {[key: string]: string}}',
    ],
    [
      'Lua',
      luaNotation,
      '{path: string, ["max-count"]?: integer, mode?: "r"|"w", tags?: string[], edits?: {old: string}[], ["end"]?: boolean|nil, labels?: table<string, string>}',
    ],
    [
      'Go',
      goNotation,
      'map[string]any{"path": string, "max-count"?: int, "mode"?: "r"|"w", "tags"?: []string, "edits"?: []any{map[string]any{"old": string}}, "end"?: bool|nil, "labels"?: map[string]string}',
    ],
  ])('%s', (_, notation, type) => {
    expect(writeType(schema, notation, 1000)).toBe(type);
  });
});
