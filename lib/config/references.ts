import { CodeModeError } from '../errors.ts';

/** Gives a text with its references filled in. Rejects where one cannot be read; the error names it, never its value. */
export type Resolve = (text: string) => Promise<string>;

/** A reference found in a text. */
export interface Reference {
  kind: 'env' | 'ssm' | 'secret';
  /** What stands after the colon, without a `#json.key`. */
  id: string;
  /** `secret` only: the way to a member of the secret's JSON. */
  key?: string;
  /** As it is written. */
  text: string;
}

/** `$${…}` stands for a literal `${…}`; anything like `${word:…}` is taken for a reference. */
const PATTERN = /\$(\$\{[^}]*\})|\$\{([A-Za-z_]\w*):([^}]*)\}/g;

/** Why a reference is not well formed; undefined where it is. */
function fault(kind: string, rest: string): string | undefined {
  if (kind === 'env') return /^[A-Za-z_]\w*$/.test(rest) ? undefined : '${env:NAME} needs the name of a variable';
  if (kind === 'ssm')
    return /^\/?[\w.-]+(\/[\w.-]+)*$/.test(rest) ? undefined : '${ssm:/path} needs the name of a parameter';
  if (kind === 'secret') {
    return /^[\w/+=.@:!-]+(#[\w.-]+)?$/.test(rest)
      ? undefined
      : '${secret:id} or ${secret:id#json.key} needs a name or ARN';
  }
  return `unknown kind of reference "${kind}"; known are \${env:NAME}, \${ssm:/path}, \${secret:id} and \${secret:id#json.key} (write $\${ for a literal \${)`;
}

/** The references of a text, and what is wrong with those that are not well formed. */
export function findReferences(text: string): { references: Reference[]; problems: string[] } {
  const references: Reference[] = [];
  const problems: string[] = [];
  for (const [whole, literal, kind, rest] of text.matchAll(PATTERN)) {
    if (literal !== undefined || kind === undefined || rest === undefined) continue;
    const problem = fault(kind, rest);
    if (problem) {
      problems.push(problem);
      continue;
    }
    const [id = '', key] = kind === 'secret' ? rest.split('#') : [rest];
    references.push({ kind: kind as Reference['kind'], id, ...(key === undefined ? {} : { key }), text: whole });
  }
  return { references, problems };
}

/** A text without its references: what can be checked before they are resolved. */
export function withoutReferences(text: string, placeholder: string): string {
  return text.replace(PATTERN, (_whole, literal: string | undefined) => literal ?? placeholder);
}

/** Where references are read from; the AWS readers are absent in the local process. */
export interface ReferenceSources {
  env: Record<string, string | undefined>;
  readParameter?: (name: string) => Promise<string>;
  readSecret?: (id: string) => Promise<string>;
}

function member(json: string, key: string, text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
    for (const step of key.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as never)[step] : undefined;
    }
  } catch {
    throw new CodeModeError('internal', `${text}: the secret is no JSON; leave out "#${key}" to use it whole`);
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new CodeModeError('internal', `${text}: the secret has no text at "${key}"`);
}

/** Resolves references when they are used. Nothing is kept here: caching is the readers' matter. */
export function createResolver(sources: ReferenceSources): Resolve {
  const read = async (reference: Reference): Promise<string> => {
    const { kind, id, key, text } = reference;
    if (kind === 'env') {
      const value = sources.env[id];
      if (value === undefined)
        throw new CodeModeError('internal', `${text}: the environment variable ${id} is not set`);
      return value;
    }
    const reader = kind === 'ssm' ? sources.readParameter : sources.readSecret;
    if (!reader) throw new CodeModeError('internal', `${text}: can be read on AWS only; use \${env:NAME} here`);
    const value = await reader(id);
    return key === undefined ? value : member(value, key, text);
  };
  return async (text) => {
    const { references, problems } = findReferences(text);
    if (problems[0] !== undefined) throw new CodeModeError('internal', problems[0]);
    const values = new Map<string, string>();
    for (const reference of references) values.set(reference.text, await read(reference));
    return text.replace(PATTERN, (whole, literal: string | undefined) => literal ?? values.get(whole) ?? whole);
  };
}
