import type { Tool } from '../tool.ts';
import type { Detail, Dialect } from './dialect.ts';
import type { ExampleCall } from './example.ts';
import { luaLiteral } from './literal.ts';
import { luaNotation } from './lua-type.ts';
import { writeType } from './notation.ts';
import { parameterNotes } from './parameter-notes.ts';
import { safeLine } from './safe-text.ts';
import { readSchema, takesNothing } from './shape.ts';
import { descriptionOf, ownName, sourceOf } from './tool-text.ts';

/** Characters of one function's parameters, and of its result, in a brief and in a full sheet. */
const TYPE_CHARS = { brief: 320, full: 1600 };

function luaCall(call: ExampleCall): string {
  const given = Object.keys(call.arguments).length > 0 ? luaLiteral(call.arguments) : '';
  return `${call.tool.namespace}.${call.tool.snakeName}(${given})`;
}

/**
 * Lua: a LuaLS class a server with a field a function. All of it but the example is comments: pasted into a script, a stub
 * would take the real function's place in silence.
 */
export const lua: Dialect = {
  language: 'lua',
  comment: '--',
  keptCall: (name) => `code.run("${name}", {…})`,
  callName: (tool) => `${tool.namespace}.${tool.snakeName}`,
  head: ({ calls, notices, maxParallelCalls }) => {
    const [first = 'server.tool({key = 1})', second = first] = calls.map(luaCall);
    return [
      'Functions for execute_code with language "lua" (Lua 5.4).',
      'Define function Run(params) … end; what it returns is the result. Code outside Run only prepares.',
      `Every function takes one table and returns its result at once: local r = ${first}`,
      `Up to ${maxParallelCalls} calls at once: local a, b = parallel(function() return ${first} end, function() return ${second} end)`,
      'A result is the structured value of the tool, else its text, parsed when it is JSON. A failed call raises an error with message, code and tool: pcall catches it.',
      'console.log/warn/error/info/debug and print lines come back in logs. Libraries: string, table, math, utf8, coroutine, os.time/date/clock, json.encode/decode; no io, require, load, debug, files or network. array({}) is an empty list, null stands for null.',
      "Below: ? marks what may be left out; [name] is the tool's own name where it differs.",
      ...notices,
    ]
      .map((line) => `-- ${line}`)
      .join('\n');
  },
  server: ({ server, namespace }, tools, detail) =>
    [
      `---@class ${namespace} server ${safeLine(server)}; called as ${namespace}.name({…})`,
      ...tools.map((tool) => functionText(tool, detail)),
    ].join('\n'),
  remark: (text) => `-- ${text}`,
  example: (calls) => {
    if (calls.length === 0) return '';
    const names = ['first', 'second'].slice(0, calls.length);
    return [
      '-- Example',
      'function Run(params)',
      ...calls.map((call, at) => `  local ${names[at]} = ${luaCall(call)}`),
      `  console.log("${calls.length} call${calls.length === 1 ? '' : 's'} answered")`,
      `  return {${names.map((name) => `${name} = ${name}`).join(', ')}}`,
      'end',
    ].join('\n');
  },
  signature: (tool) => {
    const result = resultType(tool, 'brief');
    const about = [descriptionOf(tool, 'brief'), sourceOf(tool)].filter(Boolean).join(' ');
    const input = inputType(tool, 'brief');
    return `${tool.namespace}.${tool.snakeName}(${input ? `args: ${input}` : ''})${result ? `: ${result}` : ''}  -- ${about}`;
  },
};

function inputType(tool: Tool, detail: Detail): string {
  const schema = readSchema(tool.definition.inputSchema);
  return takesNothing(schema) ? '' : writeType(schema, luaNotation, TYPE_CHARS[detail]);
}

function resultType(tool: Tool, detail: Detail): string {
  const schema = tool.definition.outputSchema;
  return schema ? writeType(readSchema(schema), luaNotation, TYPE_CHARS[detail]) : '';
}

function functionText(tool: Tool, detail: Detail): string {
  const about = `${descriptionOf(tool, detail)}${ownName(tool, tool.snakeName)}`.trim();
  const input = inputType(tool, detail);
  const result = resultType(tool, detail);
  const type = `fun(${input ? `args: ${input}` : ''})${result ? `: ${result}` : ''}`;
  const notes = detail === 'full' ? parameterNotes(readSchema(tool.definition.inputSchema)) : [];
  return [
    ...notes.map(({ path, text }) => `--- args.${path}: ${text}`),
    `---@field ${tool.snakeName} ${type} ${about}`.trimEnd(),
  ].join('\n');
}
