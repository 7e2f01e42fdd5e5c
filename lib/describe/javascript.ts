import type { Tool } from '../tool.ts';
import type { Detail, Dialect } from './dialect.ts';
import type { ExampleCall } from './example.ts';
import { javascriptLiteral } from './literal.ts';
import { writeType } from './notation.ts';
import { parameterNotes } from './parameter-notes.ts';
import { safeLine } from './safe-text.ts';
import { readSchema, takesNothing } from './shape.ts';
import { descriptionOf, ownName, sourceOf } from './tool-text.ts';
import { javascriptNotation } from './typescript-type.ts';

/** Characters of one function's parameters, and of its result, in a brief and in a full sheet. */
const TYPE_CHARS = { brief: 320, full: 1600 };

/** The rules of scripts that JavaScript and TypeScript share; `call` and `other` are real calls. */
export function scriptRules(calls: ExampleCall[], maxParallelCalls: number): string[] {
  const [first = 'server.tool({ key: 1 })', second = first] = calls.map(javascriptCall);
  return [
    'Define function Run(params) {…}; what it returns is the result. Code outside Run only prepares.',
    `Every function takes one object and returns its result at once: const r = ${first};`,
    `In an async Run every call returns a promise: await it, or run up to ${maxParallelCalls} at once: const [a, b] = await Promise.all([${first}, ${second}]);`,
    'A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call throws an Error with message, code and tool: try/catch works.',
    'console.log/warn/error/info/debug lines come back in logs. ES2023 built-ins only: no fetch, require, import, timers, process, files or network.',
  ];
}

/** A call as JavaScript and TypeScript write it. */
export function javascriptCall(call: ExampleCall): string {
  const given = Object.keys(call.arguments).length > 0 ? javascriptLiteral(call.arguments) : '';
  return `${call.tool.namespace}.${call.tool.snakeName}(${given})`;
}

/** The body of an example's Run, for both languages. */
export function exampleBody(calls: ExampleCall[]): string[] {
  const names = ['first', 'second'].slice(0, calls.length);
  return [
    ...calls.map((call, at) => `  const ${names[at]} = ${javascriptCall(call)};`),
    `  console.log("${calls.length} call${calls.length === 1 ? '' : 's'} answered");`,
    `  return { ${names.join(', ')} };`,
  ];
}

/** JavaScript: one line a function, in call syntax with types. */
export const javascript: Dialect = {
  language: 'javascript',
  comment: '//',
  keptCall: (name) => `code.run("${name}", {…})`,
  callName: (tool) => `${tool.namespace}.${tool.snakeName}`,
  head: ({ calls, notices, maxParallelCalls }) =>
    [
      'Functions for execute_code with language "javascript".',
      ...scriptRules(calls, maxParallelCalls).map((rule) => `- ${rule}`),
      "- Below: ? marks what may be left out; → the result, where the tool tells it; [name] the tool's own name where it differs.",
      ...notices.map((notice) => `- ${notice}`),
    ].join('\n'),
  server: ({ server, namespace }, tools, detail) =>
    [`## ${namespace} (server ${safeLine(server)})`, ...tools.map((tool) => functionText(tool, detail))].join('\n'),
  remark: (text) => text,
  example: (calls) =>
    calls.length === 0
      ? ''
      : ['## Example', '```js', 'function Run(params) {', ...exampleBody(calls), '}', '```'].join('\n'),
  signature: (tool) =>
    `${callText(tool, 'brief')}  // ${[descriptionOf(tool, 'brief'), sourceOf(tool)].filter(Boolean).join(' ')}`,
};

function callText(tool: Tool, detail: Detail): string {
  const schema = readSchema(tool.definition.inputSchema);
  const input = takesNothing(schema) ? '' : writeType(schema, javascriptNotation, TYPE_CHARS[detail]);
  const result = tool.definition.outputSchema
    ? ` → ${writeType(readSchema(tool.definition.outputSchema), javascriptNotation, TYPE_CHARS[detail])}`
    : '';
  return `${tool.namespace}.${tool.snakeName}(${input})${result}`;
}

function functionText(tool: Tool, detail: Detail): string {
  const about = `${descriptionOf(tool, detail)}${ownName(tool, tool.snakeName)}`.trim();
  const line = `${callText(tool, detail)}${about ? `  // ${about}` : ''}`;
  if (detail === 'brief') return line;
  const notes = parameterNotes(readSchema(tool.definition.inputSchema));
  return [line, ...notes.map(({ path, text }) => `  // ${path}: ${text}`)].join('\n');
}
