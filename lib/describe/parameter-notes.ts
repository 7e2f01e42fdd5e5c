import { cutAtSentence, safeLine } from './safe-text.ts';
import type { Shape, ShapedSchema } from './shape.ts';
import { quoted } from './typescript-type.ts';

/** What a full description says of one parameter. */
interface ParameterNote {
  /** E.g. `edits[].oldText`. */
  path: string;
  text: string;
}

const MAX_NOTE_CHARS = 300;
const MAX_DEFAULT_CHARS = 60;
const MAX_NOTES = 60;
const MAX_NOTE_DEPTH = 4;

/** Descriptions and defaults of a tool's parameters, nested ones too, each a safe line. */
export function parameterNotes(schema: ShapedSchema): ParameterNote[] {
  const notes: ParameterNote[] = [];
  const visit = (shape: Shape, path: string, depth: number, above: readonly string[]): void => {
    if (depth > MAX_NOTE_DEPTH || notes.length >= MAX_NOTES) return;
    if (shape.kind === 'reference' && !above.includes(shape.pointer)) {
      const target = schema.definitions.get(shape.pointer);
      if (target) visit(target, path, depth, [...above, shape.pointer]);
    } else if (shape.kind === 'array') {
      visit(shape.of, `${path}[]`, depth, above);
    } else if (shape.kind === 'union' || shape.kind === 'intersection') {
      for (const one of shape.of) visit(one, path, depth, above);
    } else if (shape.kind === 'object') {
      for (const field of shape.fields) {
        const name = safeLine(path ? `${path}.${field.name}` : field.name);
        const text = [
          cutAtSentence(safeLine(field.description ?? ''), MAX_NOTE_CHARS),
          field.default === undefined ? '' : `(default ${defaultText(field.default)})`,
        ];
        if (text.some(Boolean) && notes.length < MAX_NOTES && !notes.some((note) => note.path === name)) {
          notes.push({ path: name, text: text.filter(Boolean).join(' ') });
        }
        visit(field.shape, name, depth + 1, above);
      }
    }
  };
  visit(schema.shape, '', 1, []);
  return notes;
}

function defaultText(value: unknown): string {
  const text = typeof value === 'string' ? quoted(value) : safeLine(JSON.stringify(value));
  return text.length > MAX_DEFAULT_CHARS ? `${text.slice(0, MAX_DEFAULT_CHARS)}…` : text;
}
