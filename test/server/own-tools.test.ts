import { describe, expect, it } from 'vitest';
import { createGateway } from '../../lib/server/http.ts';
import { ownTools } from '../../lib/server/own-tools.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { messages, modern } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const gateway = createGateway(
  stubServices({
    servers: {},
    config: { store: { dir: 'unused', bucket: '', allow_delete: true, scope: 'shared' } },
    overrides: { store: createDirectoryStore('unused') },
  }),
);

async function ask(method: string, params: Record<string, unknown>) {
  const { result } = (await messages(await modern(gateway, method, params))).at(-1)!;
  return result as {
    tools: { name: string; inputSchema: { properties?: object } }[];
    content: { text: string }[];
    isError?: boolean;
  };
}

describe('our own tools', () => {
  it('take the arguments that their schemas list', async () => {
    const { tools } = await ask('tools/list', {});
    const listed = new Map(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]),
    );
    expect(listed).toEqual(new Map([...ownTools].map(([name, { keys }]) => [name, [...keys].sort()])));
  });

  it.each([...ownTools.keys()])('refuse an argument they do not know: %s', async (name) => {
    const { content, isError } = await ask('tools/call', { name, arguments: { nonsense: 1 } });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(
      /invalid_arguments.*there is no argument .*nonsense|there is no argument .*nonsense.*invalid_arguments/,
    );
  });

  it('name the argument that was probably meant', async () => {
    const { content } = await ask('tools/call', { name: 'get_functions_description', arguments: { langauge: 'lua' } });
    expect(content[0]?.text).toContain('there is no argument "langauge"; did you mean language?');
  });
});
