import { afterAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { executeCode } from '../../lib/run/execute-code.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { stubServices } from '../support/stub-services.ts';

const sandbox = createSandbox({ languages: ['javascript', 'typescript', 'lua', 'go'] });
afterAll(() => sandbox.close());

const answer = () => ({ content: [{ type: 'text' as const, text: 'ok' }] });
const services = stubServices({
  config: { languages: ['javascript', 'lua', 'go'] },
  servers: { everything: { 'get-sum': { answer }, echo: { answer }, 'echo-all-twice': { answer } } },
  overrides: { sandbox: async () => sandbox },
});

/** A script that returns what a call with no arguments gives. */
const calling: Record<string, (name: string) => string> = {
  javascript: (name) => `function Run() {\n  return ${name}({});\n}`,
  typescript: (name) => `async function Run(): Promise<string> {\n  return await ${name}({});\n}`,
  lua: (name) => `function Run()\n  return ${name}({})\nend`,
  go: (name) =>
    `package main; import "everything"\nfunc Run(params map[string]any) (any, error) { return ${name}(params) }`,
};

async function run(language: string, code: string) {
  const signal = new AbortController().signal;
  const { content = [] } = await executeCode(services, { language, code }, { caller: ANONYMOUS, signal });
  return JSON.parse(String(content[0]?.['text'])) as Record<string, unknown>;
}

describe("a tool's own name in a script", () => {
  const names = [
    ['everything__get-sum', 'everything.get_sum', 'everything.GetSum'],
    ['everything.get-sum', 'everything.get_sum', 'everything.GetSum'],
    ['everything.echo-all-twice', 'everything.echo_all_twice', 'everything.EchoAllTwice'],
    ['everything__echo-all-twice', 'everything.echo_all_twice', 'everything.EchoAllTwice'],
  ] as const;
  const cases = Object.keys(calling).flatMap((language) =>
    names.map(([written, snake, camel]) => [language, written, language === 'go' ? camel : snake] as const),
  );

  it.each(cases)('written in %s as %s is answered with %s, and pointed at', async (language, written, meant) => {
    const code = calling[language]!(written);
    const result = await run(language, code);
    expect(result).toMatchObject({
      errorCode: 'function_not_found',
      line: 2,
      column: code.split('\n')[1]!.indexOf(written) + 1,
    });
    expect(result['error']).toContain(`there is no function ${written}: ${written} → ${meant} (`);
    expect(await run(language, calling[language]!(meant))).toMatchObject({ ok: true, value: 'ok' });
  });

  it.each([
    ['javascript', 'everything.GetSum', 'everything.get_sum'],
    ['lua', 'everything.GetSum', 'everything.get_sum'],
    ['lua', 'everything["get-sum"]', 'everything.get_sum'],
    ['go', 'everything.get_sum', 'everything.GetSum'],
    ['go', 'everything.echo', 'everything.Echo'],
  ])('spelled in %s as in another language, %s, is answered with %s', async (language, written, meant) => {
    const result = await run(language, calling[language]!(written));
    expect(result).toMatchObject({ errorCode: 'function_not_found', line: 2 });
    expect(result['error']).toContain(` → ${meant}`);
  });
});
