import { afterAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { describeFunctions } from '../../lib/describe/describe-functions.ts';
import type { JsonObject } from '../../lib/json.ts';
import { executeCode } from '../../lib/run/execute-code.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { RECORDED, viewOf } from '../support/recorded-catalogues.ts';
import { stubServices } from '../support/stub-services.ts';

const LANGUAGES = ['javascript', 'typescript', 'lua', 'go'] as const;
const sandbox = createSandbox({ languages: LANGUAGES });
afterAll(() => sandbox.close());

/** Calls every function of a namespace with no arguments worth the name, whatever comes of it. */
const CALL_ALL = {
  javascript: (names: string[]) => names.map((name) => `try { ${name}({}) } catch {}`).join('\n'),
  typescript: (names: string[]) => names.map((name) => `try { ${name}({} as any) } catch {}`).join('\n'),
  lua: (names: string[]) => names.map((name) => `pcall(function() ${name}({}) end)`).join('\n'),
  go: (names: string[]) => {
    const packages = [...new Set(names.map((name) => name.split('.')[0]!))];
    const calls = names.map((name) => `${name}(map[string]any{})`).join('\n');
    return `import (\n${packages.map((name) => `"${name}"`).join('\n')}\n)\nfunc Run() any {\n${calls}\nreturn nil\n}`;
  },
};

describe.each(RECORDED.map(({ alias, ...server }) => ({ alias, ...server })))('every function of $server', (server) => {
  it.each(LANGUAGES)('resolves in %s and reaches its tool under its original name', async (language) => {
    const view = viewOf([server]);
    const reached: string[] = [];
    const upstream = {
      callTool: async ({ name }: { name: string }) => {
        reached.push(name);
        return { content: [] };
      },
    };
    const services = stubServices({
      config: { languages: ['javascript', 'lua', 'go'] },
      overrides: {
        sandbox: async () => sandbox,
        catalogue: async () => ({ version: view.key, servers: view.servers }),
        // Arguments are not the matter here.
        view: () => ({
          ...view,
          functions: view.functions.map((tool) => ({
            ...tool,
            definition: { ...tool.definition, inputSchema: { type: 'object' } },
          })),
        }),
        upstream: () => upstream as never,
      },
    });
    const spelled = view.functions.map(
      (tool) => `${tool.namespace}.${language === 'go' ? tool.camelName : tool.snakeName}`,
    );
    const sheet = describeFunctions(view, language);
    for (const name of spelled) expect(sheet).toContain(name.split('.')[1]);
    const args: JsonObject = { language, code: CALL_ALL[language](spelled) };
    const answer = await executeCode(services, args, { caller: ANONYMOUS, signal: new AbortController().signal });
    expect(JSON.parse(String(answer.content![0]!.text))).toMatchObject({ ok: true, toolCalls: spelled.length });
    expect(reached).toEqual(server.tools!.map(({ name }) => name));
  });
});
