import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import { LuaFactory } from 'wasmoon';
import { describeFunctions, SHEET_BUDGET_CHARS } from '../../lib/describe/describe-functions.ts';
import { GO_PACKAGES } from '../../lib/describe/go.ts';
import { sampleArguments } from '../../lib/describe/sample.ts';
import { CodeModeError } from '../../lib/errors.ts';
import type { CatalogueView } from '../../lib/registry/contract.ts';
import type { Language } from '../../lib/sandbox/contract.ts';
import { compileTypescript } from '../support/compile-typescript.ts';
import { viewOfMany } from '../support/many-tools.ts';
import { RECORDED, recordedView, viewOf } from '../support/recorded-catalogues.ts';

const LANGUAGES: Language[] = ['javascript', 'typescript', 'lua', 'go'];
const views = RECORDED.map((recorded) => [recorded.alias, viewOf([recorded])] as const);
const all = recordedView();

/** What stands in the sheet's only code fence. */
function fenced(sheet: string): string {
  const parts = sheet.split('```');
  expect(parts).toHaveLength(3);
  return (parts[1] ?? '').replace(/^\w+\n/, '');
}

/** The servers as objects of functions that check their arguments by the tool's schema and note the call. */
function stubs(view: CatalogueView, called: string[], asynchronous: boolean) {
  const servers: Record<string, Record<string, (given?: unknown) => unknown>> = {};
  for (const tool of view.functions) {
    servers[tool.namespace] ??= {};
    servers[tool.namespace]![tool.snakeName] = (given = {}) => {
      const { valid, errors } = new Validator(tool.definition.inputSchema as object, '2020-12').validate(given);
      if (!valid) throw new Error(`${tool.snakeName}: ${JSON.stringify(errors)}`);
      called.push(tool.definition.name);
      return asynchronous ? Promise.resolve('answer') : 'answer';
    };
  }
  return { ...servers, console: { log: () => {} } };
}

function runJavascript(code: string, names: object): unknown {
  return new Function(...Object.keys(names), code)(...Object.values(names));
}

describe('a JavaScript sheet', () => {
  it.each(views)('of %s has an example that parses, runs and gives arguments the tools accept', (_, view) => {
    const example = fenced(describeFunctions(view, 'javascript'));
    parse(example, { ecmaVersion: 2023 });
    const called: string[] = [];
    expect(runJavascript(`${example}; return Run();`, stubs(view, called, false))).toBeTypeOf('object');
    expect(called).toHaveLength(2);
  });

  it.each(views)('of %s shows a parallel form that runs', async (_, view) => {
    const form = /const \[a, b\] = await Promise\.all\(.*\);/.exec(describeFunctions(view, 'javascript'))?.[0];
    const called: string[] = [];
    await runJavascript(`return (async () => { ${form} return a + b; })();`, stubs(view, called, true));
    expect(called).toHaveLength(2);
  });

  it('names every function once, in call syntax', () => {
    const sheet = describeFunctions(all, 'javascript');
    for (const { namespace, snakeName } of all.functions) {
      expect(sheet.match(new RegExp(`^${namespace}\\.${snakeName}\\(`, 'gm')), snakeName).toHaveLength(1);
    }
  });
});

describe('a TypeScript sheet', () => {
  it('compiles whole, its example checked against its declarations, brief and in full', () => {
    const sources: Record<string, string> = { all: describeFunctions(all, 'typescript') };
    for (const [alias, view] of views) {
      sources[alias] = describeFunctions(view, 'typescript');
      sources[`${alias}-full`] = describeFunctions(view, 'typescript', { detail: 'full' });
    }
    expect(compileTypescript(sources)).toEqual([]);
  });

  it('is checked by a compiler that would notice a wrong argument', () => {
    const sheet = describeFunctions(views.find(([alias]) => alias === 'filesystem')![1], 'typescript');
    const wrong = compileTypescript({ wrong: `${sheet}\nfilesystem.read_text_file({ pth: "a" });` });
    expect(wrong.join()).toContain("'pth' does not exist");
  });
});

describe('a Lua sheet', () => {
  it.each(views)('of %s is a chunk whose example runs, and takes no function’s place', async (_, view) => {
    const lua = await new LuaFactory().createEngine();
    try {
      const stubsText = view.servers
        .map(
          ({ namespace }) =>
            `${namespace} = setmetatable({}, {__index = function() return function() return 1 end end})`,
        )
        .join('\n');
      for (const detail of ['brief', 'full'] as const) {
        const sheet = describeFunctions(view, 'lua', { detail });
        const chunk = `console = { log = function() end }\n${stubsText}\n${sheet}\nreturn Run().first`;
        expect(await lua.doString(chunk)).toBe(1);
      }
    } finally {
      lua.global.close();
    }
  });
});

describe('every sheet', () => {
  it('has a sample argument that each of the recorded tools accepts', () => {
    const refused = all.functions.filter(({ definition }) => {
      const sample = sampleArguments(definition.inputSchema);
      return !new Validator(definition.inputSchema as object, '2020-12').validate(sample).valid;
    });
    expect(refused.map(({ definition }) => definition.name)).toEqual([]);
  });

  it.each(LANGUAGES)('stays within its budget in %s at any size, and leaves no namespace out', (language) => {
    for (const count of [138, 500, 10_000]) {
      const view = viewOfMany(count);
      for (const detail of ['brief', 'full'] as const) {
        const sheet = describeFunctions(view, language, { detail });
        expect(sheet.length).toBeLessThanOrEqual(SHEET_BUDGET_CHARS);
        for (const { namespace } of view.servers) expect(sheet).toContain(namespace);
      }
    }
    expect(describeFunctions(viewOfMany(500), language)).toContain('500 functions are too many');
  });

  it.each(LANGUAGES)('keeps in %s the mark of a deprecated function, and what to use instead', (language) => {
    const sheet = describeFunctions(all, language, { server: 'filesystem' });
    expect(sheet).toContain('as text. DEPRECATED: Use read_text_file instead.');
    expect(sheet.match(/deprecated/gi)).toHaveLength(1);
  });

  it('keeps the mark of a deprecated function after a first sentence that is long', () => {
    const description = `Reads ${'the very long record '.repeat(20)}now. It asks twice. Deprecated since 2.0, use fetch.`;
    const view = viewOf([{ server: 'x', tools: [{ name: 'read', description, inputSchema: { type: 'object' } }] }]);
    const line = describeFunctions(view, 'javascript').match(/^x\.read\(.*$/m)?.[0] ?? '';
    expect(line).toMatch(/^x\.read\(\) {2}\/\/ Reads the very .*… Deprecated since 2\.0, use fetch\.$/);
    expect(line.length).toBeLessThan(180);
  });

  it.each(LANGUAGES)('can be of one server in %s, by name, alias or namespace', (language) => {
    const byName = describeFunctions(all, language, { server: 'server-memory' });
    expect(byName).toBe(describeFunctions(all, language, { server: 'memory' }));
    expect(byName).not.toContain('filesystem');
    expect(byName).toContain('memory');
  });

  it.each([
    ['javascript', 'code.run("name", {…})'],
    ['typescript', 'code.run("name", {…})'],
    ['lua', 'code.run("name", {…})'],
    ['go', 'code.Run("name", map[string]any{…})'],
  ] as const)('tells in %s how a kept script is called, only where scripts are kept', (language, call) => {
    expect(describeFunctions(all, language, { stored: true })).toContain(call);
    expect(describeFunctions(all, language)).not.toContain(call);
  });

  it('of Go names the packages that the Go guest has', () => {
    const listed = GO_PACKAGES.split(' ').flatMap((entry) => {
      const [, folder = '', names = ''] = /^(.*)\{(.*)\}$/.exec(entry) ?? [];
      return names ? names.split(',').map((name) => folder + name) : [entry];
    });
    const built = readFileSync(new URL('../../wasm/go/guest/packages.txt', import.meta.url), 'utf8')
      .trim()
      .split(/\s+/);
    expect(listed.toSorted()).toEqual([...built, 'cmp', 'maps', 'slices'].toSorted());
  });

  it('refuses an unknown server and names the nearest', () => {
    const ask = () => describeFunctions(all, 'lua', { server: 'filesytem' });
    expect(ask).toThrow(CodeModeError);
    expect(ask).toThrow('There is no server "filesytem". Did you mean "filesystem"?');
  });

  it.each(LANGUAGES)('says in %s which servers cannot be called, and why', (language) => {
    const view = viewOf([
      ...RECORDED.slice(0, 1),
      { server: 'billing', state: 'failed', error: 'connection refused\n*/ ]] ```' },
      { server: 'ended', state: 'failed', error: 'Server "ended" closed the connection.' },
      { server: 'refused', state: 'failed', error: 'Server "refused" is not available: it refused the connection.' },
      { server: 'slow', state: 'connecting' },
      { ...RECORDED[6]!, server: 'old', alias: 'old', state: 'stale', error: 'gone' },
    ]);
    const sheet = describeFunctions(view, language);
    expect(sheet).toContain('billing (server billing) cannot be reached: connection refused');
    expect(sheet).toContain('refused (server refused) cannot be reached: it refused the connection. Its functions are');
    expect(sheet).toContain('closed the connection. Its functions are not available now.');
    expect(sheet).toContain('slow (server slow) is still connecting');
    expect(sheet).toContain('old (server old) cannot be reached now: gone. Its functions are from an earlier listing');
  });

  it.each(LANGUAGES)('says in %s that there is nothing to call, where there is nothing', (language) => {
    expect(describeFunctions(viewOf([]), language)).toContain('No server offers functions to scripts now');
    const empty = viewOf([{ server: 'empty' }]);
    expect(describeFunctions(empty, language, { server: 'empty' })).toContain('Server empty offers no functions');
  });
});
