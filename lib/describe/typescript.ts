import type { Tool } from '../tool.ts';
import type { Detail, Dialect } from './dialect.ts';
import { exampleBody, scriptRules } from './javascript.ts';
import { type Notation, writeType } from './notation.ts';
import { parameterNotes } from './parameter-notes.ts';
import { safeLine } from './safe-text.ts';
import { readSchema, type ShapedSchema, takesNothing } from './shape.ts';
import { descriptionOf, ownName, sourceOf } from './tool-text.ts';
import { javascriptNotation, typescriptNotation } from './typescript-type.ts';

/** Characters of one function's parameters, of its result, and of each declared type. */
const TYPE_CHARS = { brief: 1200, full: 6000 };
const SIGNATURE_CHARS = 320;

/** TypeScript: declarations with doc comments; the whole sheet is a TypeScript file that compiles. */
export const typescript: Dialect = {
  language: 'typescript',
  comment: '//',
  keptCall: (name) => `code.run("${name}", {…})`,
  callName: (tool) => `${tool.namespace}.${tool.snakeName}`,
  head: ({ calls, notices, maxParallelCalls }) =>
    [
      'Functions for execute_code with language "typescript" (types are stripped, not checked).',
      ...scriptRules(calls, maxParallelCalls),
      "In comments below, [name] is the tool's own name where it differs.",
      ...notices,
    ]
      .map((line) => `// ${line}`)
      .join('\n'),
  server: ({ server, namespace }, tools, detail) => {
    const types = declarations(TYPE_CHARS[detail]);
    const functions = tools.map((tool) => functionText(tool, detail, types));
    return [
      `/** Server ${safeLine(server)} */`,
      `declare namespace ${namespace} {`,
      ...types.lines(functions.join('\n')).map((line) => `  ${line}`),
      ...functions,
      '}',
    ].join('\n');
  },
  remark: (text) => `// ${text}`,
  example: (calls) =>
    calls.length === 0 ? '' : ['// Example', 'function Run(params: any) {', ...exampleBody(calls), '}'].join('\n'),
  signature: (tool) => {
    const schema = readSchema(tool.definition.inputSchema);
    const input = writeType(schema, javascriptNotation, SIGNATURE_CHARS);
    const output = tool.definition.outputSchema
      ? writeType(readSchema(tool.definition.outputSchema), javascriptNotation, SIGNATURE_CHARS)
      : 'any';
    const about = [descriptionOf(tool, 'brief'), sourceOf(tool)].filter(Boolean).join(' ');
    return `${tool.namespace}.${tool.snakeName}(${takesNothing(schema) ? '' : `args: ${input}`}): ${output}  // ${about}`;
  },
};

function functionText(tool: Tool, detail: Detail, types: Declarations): string {
  const schema = readSchema(tool.definition.inputSchema);
  const output = tool.definition.outputSchema ? types.write(readSchema(tool.definition.outputSchema)) : 'any';
  const optional = schema.shape.kind === 'object' && schema.shape.fields.every((field) => !field.required);
  const args = takesNothing(schema) ? '' : `args${optional ? '?' : ''}: ${types.write(schema)}`;
  const about = `${descriptionOf(tool, detail)}${ownName(tool, tool.snakeName)}`.trim();
  const notes = detail === 'full' ? parameterNotes(schema) : [];
  const doc = [about, ...notes.map(({ path, text }) => `@param args.${path} ${text}`)].filter(Boolean);
  return [
    ...(doc.length === 1 ? [`  /** ${doc[0]} */`] : []),
    ...(doc.length > 1 ? ['  /**', ...doc.map((line) => `   * ${line}`), '   */'] : []),
    `  function ${tool.snakeName}(${args}): ${output};`,
  ].join('\n');
}

/** The named types of one namespace. */
interface Declarations {
  /** The type of a schema; declares what it refers to. */
  write(schema: ShapedSchema): string;
  /** The declarations these texts need. */
  lines(used: string): string[];
}

/** Declares what schemas refer to, each definition once, even where many tools repeat it. */
function declarations(max: number): Declarations {
  const byName = new Map<string, { key: string; text: string }>();

  function write(schema: ShapedSchema): string {
    const names = new Map<string, string>();
    const notation: Notation = {
      ...typescriptNotation,
      reference: (pointer) => {
        const known = names.get(pointer);
        if (known !== undefined) return known;
        const shape = schema.definitions.get(pointer);
        if (!shape) return 'any';
        const name = nameFor(pointer, JSON.stringify(reachable(schema, pointer)));
        names.set(pointer, name);
        const entry = byName.get(name);
        if (entry && entry.text === '') entry.text = writeType({ ...schema, shape }, notation, max);
        return name;
      },
    };
    return writeType(schema, notation, max);
  }

  /** The name already given to an equal definition, else a free one made of the pointer's last part. */
  function nameFor(pointer: string, key: string): string {
    const words = (pointer.split('/').at(-1) ?? '').split(/[^A-Za-z0-9_$]+/);
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const base = /^[A-Za-z_$]/.test(joined) ? joined : `Type${joined}`;
    for (let at = 1; ; at++) {
      const name = at === 1 ? base : `${base}${at}`;
      const entry = byName.get(name);
      if (!entry) byName.set(name, { key, text: '' });
      if (!entry || entry.key === key) return name;
    }
  }

  function lines(used: string): string[] {
    const needed = new Set<string>();
    const open = [used];
    for (let text = open.pop(); text !== undefined; text = open.pop()) {
      for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
        const entry = byName.get(word);
        if (entry && !needed.has(word)) open.push(entry.text);
        if (entry) needed.add(word);
      }
    }
    return [...byName].filter(([name]) => needed.has(name)).map(([name, { text }]) => `type ${name} = ${text};`);
  }

  return { write, lines };
}

/** The definitions a pointer leads to, by which two tools' equal-looking types are told apart. */
function reachable(schema: ShapedSchema, pointer: string): unknown[] {
  const seen = new Set([pointer]);
  for (const at of seen) {
    for (const match of JSON.stringify(schema.definitions.get(at) ?? null).matchAll(/"pointer":"((?:[^"\\]|\\.)*)"/g)) {
      seen.add(JSON.parse(`"${match[1]}"`) as string);
    }
  }
  return [...seen].sort().map((at) => [at, schema.definitions.get(at)]);
}
