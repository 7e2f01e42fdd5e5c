import type { Tool } from '../tool.ts';
import type { Detail, Dialect } from './dialect.ts';
import type { ExampleCall } from './example.ts';
import { goNotation } from './go-type.ts';
import { goLiteral } from './literal.ts';
import { writeType } from './notation.ts';
import { parameterNotes } from './parameter-notes.ts';
import { safeLine } from './safe-text.ts';
import { readSchema, takesNothing } from './shape.ts';
import { descriptionOf, ownName, sourceOf } from './tool-text.ts';
import { javascriptNotation } from './typescript-type.ts';

/** Characters of one function's parameters, and of its result, in a brief and in a full sheet. */
const TYPE_CHARS = { brief: 400, full: 2000 };

/** What a script may import, as the Go guest has it (a test compares). */
export const GO_PACKAGES =
  'bufio bytes cmp container/{heap,list,ring} context encoding/{base64,csv,hex,json} errors fmt html io log maps ' +
  'math math/{big,bits,cmplx,rand} net/url path regexp slices sort strconv strings sync text/{tabwriter,template} ' +
  'time unicode unicode/{utf16,utf8}';

function goCall(call: ExampleCall): string {
  return `${call.tool.namespace}.${call.tool.camelName}(${goLiteral(call.arguments)})`;
}

/** Go: one line a function, the argument as a map literal with types in the places of values. */
export const go: Dialect = {
  language: 'go',
  comment: '//',
  keptCall: (name) => `code.Run("${name}", map[string]any{…})`,
  callName: (tool) => `${tool.namespace}.${tool.camelName}`,
  head: ({ calls, notices, maxParallelCalls }) => {
    const [first = 'server.Tool(map[string]any{"key": 1})', second = first] = calls.map(goCall);
    return [
      'Functions for execute_code with language "go" (interpreted by Yaegi).',
      '- Define func Run() any, or func Run(params map[string]any) (any, error); what it returns is the result.',
      `- Each server is a package: import "${calls[0]?.tool.namespace ?? 'server'}". Every function takes one map and returns (any, error): v, err := ${first}`,
      `- Up to ${maxParallelCalls} calls at once: import "codemode"; vs, err := codemode.Parallel(func() (any, error) { return ${first} }, func() (any, error) { return ${second} }) gives a []any in that order.`,
      '- A result is the structured value of the tool, else its text, parsed when it is JSON: objects are map[string]any, arrays []any, numbers float64. A failed call returns its err.',
      '- console.Log/Warn/Error/Info/Debug (import "console"), fmt.Print* and log.* lines come back in logs.',
      `- Standard packages: ${GO_PACKAGES}. A server named like one replaces it. Generics work; iterators (range over func), go and select do not.`,
      '- Below: "key"? marks what may be left out; → the result as JSON, where the tool tells it; [name] the tool\'s own name.',
      ...notices.map((notice) => `- ${notice}`),
    ].join('\n');
  },
  server: ({ server, namespace }, tools, detail) =>
    [`## import "${namespace}" (server ${safeLine(server)})`, ...tools.map((tool) => functionText(tool, detail))].join(
      '\n',
    ),
  remark: (text) => text,
  example: (calls) => {
    if (calls.length === 0) return '';
    const names = ['first', 'second'].slice(0, calls.length);
    const imports = [...new Set(['console', ...calls.map((call) => call.tool.namespace)])].sort();
    return [
      '## Example',
      '```go',
      'package main',
      '',
      'import (',
      ...imports.map((name) => `\t"${name}"`),
      ')',
      '',
      'func Run(params map[string]any) (any, error) {',
      ...calls.flatMap((call, at) => [
        `\t${names[at]}, err := ${goCall(call)}`,
        '\tif err != nil {',
        '\t\treturn nil, err',
        '\t}',
      ]),
      `\tconsole.Log("${calls.length} call${calls.length === 1 ? '' : 's'} answered")`,
      `\treturn map[string]any{${names.map((name) => `"${name}": ${name}`).join(', ')}}, nil`,
      '}',
      '```',
    ].join('\n');
  },
  signature: (tool) =>
    `${callText(tool, 'brief')}  // ${[resultText(tool, 'brief'), descriptionOf(tool, 'brief'), sourceOf(tool)].filter(Boolean).join(' ')}`,
};

function callText(tool: Tool, detail: Detail): string {
  const schema = readSchema(tool.definition.inputSchema);
  const input = takesNothing(schema) ? 'map[string]any{}' : writeType(schema, goNotation, TYPE_CHARS[detail]);
  return `${tool.namespace}.${tool.camelName}(${input}) (any, error)`;
}

function resultText(tool: Tool, detail: Detail): string {
  if (!tool.definition.outputSchema) return '';
  return `→ ${writeType(readSchema(tool.definition.outputSchema), javascriptNotation, TYPE_CHARS[detail])}.`;
}

function functionText(tool: Tool, detail: Detail): string {
  const about = [resultText(tool, detail), `${descriptionOf(tool, detail)}${ownName(tool, tool.snakeName)}`.trim()];
  const line = `${callText(tool, detail)}  // ${about.filter(Boolean).join(' ')}`.trimEnd();
  if (detail === 'brief') return line;
  const notes = parameterNotes(readSchema(tool.definition.inputSchema));
  return [line, ...notes.map(({ path, text }) => `  // ${path}: ${text}`)].join('\n');
}
