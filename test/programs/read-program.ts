import type { Limits, Program } from '../../lib/sandbox/contract.ts';

/** What a program's header comments promise. */
export interface Expectation {
  /** `ok`, or the error code the run must end with. */
  code: string;
  /** JSON value the run must return. */
  value?: unknown;
  hasValue: boolean;
  /** Parts the error's message must hold. */
  error: string[];
  /** Parts the log must hold. */
  logs: string[];
  limits: Partial<Limits>;
  program: Omit<Program, 'language' | 'code'>;
}

/**
 * Reads the header of a program under `test/programs/<language>/{hostile,model}/`: comment lines (`//`, in Lua `--`) at
 * its top, each `key: value`. Keys: `expect: ok|<code>`, `expect-value: <json>`, `expect-error: <code>: <part of the
 * message>`, `expect-log: <part>`, `params: <json>`, `entry: <name>`, `limits: <json>`. Any other key is an error.
 */
export function readExpectation(source: string): Expectation {
  const found: Expectation = { code: '', hasValue: false, error: [], logs: [], limits: {}, program: {} };
  for (const line of source.split('\n')) {
    const comment = /^(?:\/\/|--)\s?(.*)$/.exec(line)?.[1];
    if (comment === undefined) break;
    const [, key, text = ''] = /^([a-z-]+):\s*(.*)$/.exec(comment) ?? [];
    switch (key) {
      case undefined:
        break; // prose
      case 'expect':
        found.code = text.trim();
        break;
      case 'expect-value':
        found.code ||= 'ok';
        found.value = JSON.parse(text);
        found.hasValue = true;
        break;
      case 'expect-error': {
        const [, code = '', part = ''] = /^([a-z_]+):\s*(.*)$/.exec(text) ?? [];
        found.code = code;
        if (part) found.error.push(part);
        break;
      }
      case 'expect-log':
        found.code ||= 'ok';
        found.logs.push(text);
        break;
      case 'params':
        found.program.params = text;
        break;
      case 'entry':
        found.program.entry = text.trim();
        break;
      case 'limits':
        found.limits = JSON.parse(text) as Partial<Limits>;
        break;
      default:
        throw new Error(`Unknown header "${key}"`);
    }
  }
  if (!found.code) throw new Error('The program has no "expect" header');
  return found;
}
