import { Validator } from '@cfworker/json-schema';
import { afterAll, describe, expect, it } from 'vitest';
import { describeFunctions } from '../../lib/describe/describe-functions.ts';
import type { CatalogueView } from '../../lib/registry/contract.ts';
import type { Language, Limits, Outcome } from '../../lib/sandbox/contract.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { RECORDED, recordedView, viewOf } from '../support/recorded-catalogues.ts';

const languages = ['javascript', 'typescript', 'lua', 'go'] as const satisfies Language[];
const sandbox = createSandbox({ languages });
afterAll(() => sandbox.close());

const limits: Limits = {
  cpuMs: 5_000,
  wallMs: 25_000,
  memoryBytes: 64 * 1024 * 1024,
  maxParallelCalls: 16,
  maxLogBytes: 65_536,
  maxResultBytes: 262_144,
  allowThreads: false,
};

/** Runs a script over a view's functions; each answers its own name, and what it was given is checked by its schema. */
async function run(view: CatalogueView, language: Language, code: string, checked = true) {
  const called: string[] = [];
  const functions = view.functions.map(({ namespace, snakeName, camelName }) => ({
    namespace,
    snake: snakeName,
    camel: camelName,
  }));
  const outcome: Outcome = await sandbox.run(
    { language, code },
    functions,
    limits,
    async (call) => {
      const tool = view.functions[call.function];
      if (!tool) return { ok: false, code: 'function_not_found', message: call.args, tool: '' };
      called.push(`${tool.namespace}/${tool.definition.name}`);
      const { valid, errors } = new Validator(tool.definition.inputSchema as object).validate(JSON.parse(call.args));
      if (checked && !valid) return { ok: false, code: 'invalid_arguments', message: JSON.stringify(errors), tool: '' };
      return { ok: true, value: JSON.stringify(tool.definition.name) };
    },
    new AbortController().signal,
  );
  return { outcome, called };
}

/** The example of a sheet: the last fence, or what follows the last comment line that says so. */
function exampleOf(sheet: string): string {
  const fence = /```\w+\n([\s\S]*?)```\n$/.exec(sheet)?.[1];
  return fence ?? sheet.split(/^(?:--|\/\/) Example\n/m)[1] ?? '';
}

const promises = (sheet: string): string => {
  const form = /const \[a, b\] = await Promise\.all\(.*\);/.exec(sheet)?.[0];
  return `async function Run() { ${form} return [a, b]; }`;
};

/** The parallel form a sheet's rules show, made a script. */
const PARALLEL: Record<(typeof languages)[number], (sheet: string) => string> = {
  javascript: promises,
  typescript: promises,
  lua: (sheet) => `function Run() ${/local a, b = parallel\(.*\)/.exec(sheet)?.[0]} return {a, b} end`,
  go: (sheet) => {
    const form = /vs, err := codemode\.Parallel\(.*?\}\)(?= gives)/.exec(sheet)?.[0];
    return `func Run() (any, error) { ${form}; return vs, err }`;
  },
};

/** How each language's sheet shows a function, and a script that calls all of them with nothing. */
const SHOWN = {
  javascript: {
    pattern: /^(\w+\.\w+)\(/gm,
    script: (names: string[]) => `function Run() { return [${names.map((name) => `${name}()`).join(', ')}]; }`,
  },
  typescript: {
    pattern: /^ {2}function (\w+)\(/gm,
    script: (names: string[]) => `function Run(): unknown { return [${names.map((name) => `${name}()`).join(', ')}]; }`,
  },
  lua: {
    pattern: /^---@field (\w+) /gm,
    script: (names: string[]) => `function Run() return {${names.map((name) => `${name}()`).join(', ')}} end`,
  },
  go: {
    pattern: /^(\w+\.\w+)\(map/gm,
    script: (names: string[]) =>
      `func Run() (any, error) {\nall := []any{}\n${names
        .map(
          (name) =>
            `if v, err := ${name}(map[string]any{}); err != nil { return nil, err } else { all = append(all, v) }`,
        )
        .join('\n')}\nreturn all, nil\n}`,
  },
};

/** The call names a sheet shows; TypeScript's and Lua's stand within their namespaces. */
function namesIn(sheet: string, language: (typeof languages)[number]): string[] {
  const { pattern } = SHOWN[language];
  const shown = (text: string) => [...text.matchAll(pattern)].map((match) => match[1]!);
  if (language === 'javascript' || language === 'go') return shown(sheet);
  const namespaces = sheet.split(/^(?:declare namespace|---@class) /m).slice(1);
  return namespaces.flatMap((text) => shown(text).map((name) => `${text.slice(0, text.indexOf(' '))}.${name}`));
}

describe.each(languages)('in the sandbox, a %s sheet', (language) => {
  it.each(RECORDED.map((recorded) => [recorded.alias, viewOf([recorded])] as const))(
    'of %s has an example and a parallel form that run with arguments the tools accept',
    async (_, view) => {
      const sheet = describeFunctions(view, language);
      const example = await run(view, language, exampleOf(sheet));
      expect(example.outcome).toMatchObject({ ok: true, logs: ['2 calls answered'] });
      const [first, second] = example.called.map((name) => name.split('/')[1]);
      expect(JSON.parse((example.outcome as { value: string }).value)).toEqual({ first, second });

      const parallel = await run(view, language, PARALLEL[language](sheet));
      expect(parallel.outcome).toMatchObject({ ok: true, value: JSON.stringify([first, second]) });
    },
  );

  it('may be pasted whole before a script of its own', async () => {
    const view = viewOf(RECORDED.slice(4, 5));
    const sheet = describeFunctions(view, language);
    // JavaScript and Go sheets are prose around a fence; the other two are source as they stand.
    const { outcome, called } = await run(view, language, sheet.includes('```') ? exampleOf(sheet) : sheet);
    expect(outcome).toMatchObject({ ok: true });
    expect(called).toHaveLength(2);
  });

  it('names functions that all resolve, each to the tool of its server', async () => {
    const view = recordedView();
    const names = namesIn(describeFunctions(view, language), language);
    expect(names).toHaveLength(view.functions.length);
    const { outcome, called } = await run(view, language, SHOWN[language].script(names), false);
    expect(outcome).toMatchObject({ ok: true });
    expect(called).toEqual(view.functions.map((tool) => `${tool.namespace}/${tool.definition.name}`));
  });
});
