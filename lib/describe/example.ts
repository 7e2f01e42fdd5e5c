import { isDeprecated } from '../deprecated.ts';
import type { JsonObject } from '../json.ts';
import type { Tool } from '../tool.ts';
import { sampleArguments } from './sample.ts';
import { readSchema, type Shape, type ShapedSchema } from './shape.ts';

/** A call for an example script: a real function with arguments its schema accepts. */
export interface ExampleCall {
  tool: Tool;
  arguments: JsonObject;
}

/** Calls in the example: enough to show how results are combined. */
const EXAMPLE_CALLS = 2;
const READING = /^(api_)?(get|list|read|search|find|show|count|describe|retrieve|query|fetch|look|echo|current)(_|$)/;

/** Functions looked at: more take long and show nothing better. */
const MAX_CANDIDATES = 200;

/** Chooses the functions an example can show best: harmless, with few and simple arguments, of different servers. */
export function exampleCalls(functions: readonly Tool[]): ExampleCall[] {
  const ranked = functions
    .slice(0, MAX_CANDIDATES)
    .map((tool) => ({ tool, cost: costOf(tool) }))
    .sort((one, other) => one.cost - other.cost)
    .map(({ tool }) => tool);
  const [first] = ranked;
  if (!first) return [];
  const second = ranked.find((tool) => tool.namespace !== first.namespace) ?? ranked[1];
  return [first, ...(second ? [second] : [])]
    .slice(0, EXAMPLE_CALLS)
    .map((tool) => ({ tool, arguments: sampleArguments(tool.definition.inputSchema) }));
}

/** How ill a function serves as an example; the weights only order, they mean nothing in themselves. */
function costOf(tool: Tool): number {
  const { annotations, description = '', inputSchema } = tool.definition;
  const schema = readSchema(inputSchema);
  const required = requiredFields(schema.shape, schema);
  let cost = 0;
  if (annotations?.['destructiveHint'] === true) cost += 8;
  if (annotations?.['readOnlyHint'] !== true) cost += READING.test(tool.snakeName) ? 1 : 8;
  if (isDeprecated(description) || /unsafe/i.test(description)) cost += 8;
  if (required === undefined) return cost + 20;
  cost += required.length === 0 ? 2 : Math.max(0, required.length - 2) * 3;
  for (const field of required) {
    if (!isSimple(field.shape)) cost += 6;
    if (/(id|path|uri|url|token|key|string|code)s?$/i.test(field.name)) cost += 3;
  }
  return cost;
}

function requiredFields(shape: Shape, schema: ShapedSchema) {
  const target = shape.kind === 'reference' ? schema.definitions.get(shape.pointer) : shape;
  return target?.kind === 'object' ? target.fields.filter((field) => field.required) : undefined;
}

function isSimple(shape: Shape): boolean {
  if (shape.kind === 'primitive') return shape.schema['pattern'] === undefined;
  return shape.kind === 'literal' || (shape.kind === 'union' && shape.of.every((one) => one.kind === 'literal'));
}
