import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { leafKindAt, type Path } from './keys.ts';

/** A configuration file as plain values, and where each stands. */
export interface ConfigSource {
  value: Record<string, unknown>;
  /** `line:column` (from 1) of a key or list item, or of the nearest one above it that is in the file. */
  locate: (path: Path) => { line: number; column: number } | undefined;
}

/** A mistake in the file's own syntax. */
export interface SyntaxProblem {
  line: number;
  column: number;
  message: string;
}

/** The parser's messages that a reader of a configuration would not understand. */
const PLAIN_MESSAGES: Record<string, string> = {
  MULTIPLE_DOCS: 'a second document begins here; the configuration is one document',
};

/** Sections that mean something by being there: with nothing under it `auth` still asks for a policy, and none is named. */
const MEANT_WHEN_EMPTY = new Set(['auth']);

/** A key as it stands in the file: quoted, or up to its colon. */
const KEY = /"(?:[^"\\]|\\.)*"|'[^']*'|[^:\n]+/y;

function keyAt(text: string, offset: number): string {
  KEY.lastIndex = offset;
  return (
    KEY.exec(text)?.[0]
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2') ?? ''
  );
}

/** What is wrong with a JSON text, in the words and at the place of JSON's own parser; its excerpts may hold a secret. */
function jsonProblem(text: string): { message: string; line?: number; column?: number } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = (error as Error).message;
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(said) ?? [];
    const plain = said.replace(/, (?:\.\.\.)?".*$| in JSON at .*$| after JSON at .*$/s, '');
    return { message: `is no valid JSON: ${plain}`, ...(line && { line: Number(line), column: Number(column) }) };
  }
}

/**
 * Reads YAML 1.2 or JSON text (JSON being YAML; `json` says what a mistake is one of). Empty values count as absent, an empty
 * `auth` as a section without keys.
 */
export function readConfigText(text: string, json = false): ConfigSource | { problems: SyntaxProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const problem = json ? jsonProblem(text) : undefined;
    if (problem) return { problems: [{ ...place(faults[0]!.pos[0]), ...problem }] };
    return {
      problems: faults.map(({ code, message, pos }) => ({
        ...place(pos[0]),
        message:
          code === 'DUPLICATE_KEY'
            ? `the key "${keyAt(text, pos[0])}" is here twice`
            : (PLAIN_MESSAGES[code] ?? `is no valid YAML: ${message}`),
      })),
    };
  }
  let plain: unknown;
  try {
    plain = document.toJS();
  } catch (error) {
    return { problems: [{ line: 1, column: 1, message: `is no valid YAML: ${(error as Error).message}` }] };
  }
  if (plain !== null && (typeof plain !== 'object' || Array.isArray(plain))) {
    return { problems: [{ line: 1, column: 1, message: 'must hold keys and values at its top, e.g. "upstream:"' }] };
  }

  const locate: ConfigSource['locate'] = (path) => {
    let node: unknown = document.contents;
    let offset: number | undefined;
    for (const step of path) {
      let next: unknown;
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
        if (!pair) break;
        offset = (pair.key as Node).range?.[0] ?? offset;
        next = pair.value;
      } else if (isSeq(node) && typeof step === 'number') {
        next = node.items[step];
        offset = (next as Node | undefined)?.range?.[0] ?? offset;
      }
      node = next;
    }
    return offset === undefined ? undefined : place(offset);
  };

  /** Drops empty values; text the file wrote without quotes stays the text it is (`version: 1.10`). */
  const tidy = (value: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => tidy(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      const meant = ([key, member]: [string, unknown]): [string, unknown] =>
        member === null && path.length === 0 && MEANT_WHEN_EMPTY.has(key) ? [key, {}] : [key, member];
      const kept = Object.entries(value)
        .map(meant)
        .filter(([, member]) => member !== null);
      return Object.fromEntries(kept.map(([key, member]) => [key, tidy(member, [...path, key])]));
    }
    if ((typeof value === 'number' || typeof value === 'boolean') && leafKindAt(path) === 'text') {
      const node = document.getIn(path, true);
      return isScalar(node) ? (node.source ?? String(value)) : String(value);
    }
    return value;
  };
  return { value: tidy(plain ?? {}, []) as Record<string, unknown>, locate };
}
