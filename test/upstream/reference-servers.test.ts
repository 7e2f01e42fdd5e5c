import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import type { JsonObject } from '../../lib/json.ts';
import { connectTo, referenceEntry } from '../support/upstreams/connect.ts';
import { recordedTools } from '../support/upstreams/fake-server.ts';
import { freePort, startProcess } from '../support/upstreams/start-process.ts';

const asked = { caller: ANONYMOUS, timeoutMs: 20_000 };
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const everything = referenceEntry('server-everything').args[0]!;

describe.each(['stdio', 'http', 'sse', 'mcp-proxy', 'supergateway'])('server-everything over %s', (way) => {
  const stack = new AsyncDisposableStack();
  let upstream: ReturnType<typeof connectTo>;

  beforeAll(async () => {
    upstream = stack.use(connectTo(await entryFor(way, stack)));
  });
  afterAll(() => stack.disposeAsync());

  it('lists its tools as recorded', async () => {
    expect(await upstream.listTools(asked)).toEqual(recordedTools('server-everything'));
  });

  it('adds two numbers', async () => {
    const { content } = await upstream.callTool({ name: 'get-sum', arguments: { a: 2, b: 40 } }, asked);
    expect(content).toEqual([{ type: 'text', text: 'The sum of 2 and 40 is 42.' }]);
  });

  it('gives images, structured content and resource links whole', async () => {
    const image = await upstream.callTool({ name: 'get-tiny-image', arguments: {} }, asked);
    expect(image.content?.find(({ type }) => type === 'image')).toMatchObject({
      mimeType: 'image/png',
      data: expect.stringMatching(/^[A-Za-z0-9+/=]{100,}$/),
    });
    const structured = await upstream.callTool(
      { name: 'get-structured-content', arguments: { location: 'New York' } },
      asked,
    );
    expect(structured.structuredContent).toMatchObject({ temperature: expect.any(Number) });
    const links = await upstream.callTool({ name: 'get-resource-links', arguments: { count: 2 } }, asked);
    expect(links.content?.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
  });

  it('reads resources and prompts', async () => {
    const { resources } = await upstream.request('resources/list', {}, asked);
    const first = (resources as JsonObject[])[0]!;
    const { contents } = await upstream.request('resources/read', { uri: first['uri']! }, asked);
    expect((contents as JsonObject[])[0]).toMatchObject({ uri: first['uri'] });
    const { messages } = await upstream.request('prompts/get', { name: 'simple-prompt' }, asked);
    expect(messages).toHaveLength(1);
  });

  it('reports its progress to those who ask', async () => {
    const steps: number[] = [];
    await upstream.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } },
      { ...asked, onProgress: ({ progress }) => steps.push(progress) },
    );
    expect(steps.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('is told of no capability that nobody declared', async () => {
    const names = (await upstream.listTools(asked)).map(({ name }) => name);
    expect(names.filter((name) => /elicitation|sampling|roots/.test(name))).toEqual([]);
  });
});

it('server-filesystem gives a file byte for byte', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
  const text = 'Zeile 1\r\n\u2028\t"ё" \\ 🙂\n';
  writeFileSync(join(folder, 'a.txt'), text);
  await using upstream = connectTo(referenceEntry('server-filesystem', folder));
  const { content } = await upstream.callTool(
    { name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } },
    asked,
  );
  expect(content?.[0]?.['text']).toBe(text);
});

it('server-memory keeps what it is told between calls of one process', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'memory-')), 'memory.jsonl');
  await using upstream = connectTo({ ...referenceEntry('server-memory'), env: { MEMORY_FILE_PATH: file } });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }];
  await upstream.callTool({ name: 'create_entities', arguments: { entities } }, asked);
  const { structuredContent } = await upstream.callTool({ name: 'read_graph', arguments: {} }, asked);
  expect(structuredContent).toMatchObject({ entities });
});

/** The entry by which `server-everything` is reached, what it takes started. */
async function entryFor(way: string, stack: AsyncDisposableStack): Promise<object> {
  if (way === 'stdio') return referenceEntry('server-everything', 'stdio');
  const port = await freePort();
  const start = async (...args: string[]) => stack.use(await startProcess(args, port, { PORT: String(port) }));
  const url = `http://127.0.0.1:${port}`;
  const command = `${process.execPath} ${everything} stdio`;
  switch (way) {
    case 'http':
      await start(everything, 'streamableHttp');
      return { transport: 'http', url: `${url}/mcp` };
    case 'sse':
      await start(everything, 'sse');
      return { transport: 'sse', url: `${url}/sse` };
    case 'mcp-proxy':
      await start(
        `${modules}/mcp-proxy/dist/bin/mcp-proxy.mjs`,
        '--port',
        `${port}`,
        '--server',
        'sse',
        '--',
        ...command.split(' '),
      );
      return { transport: 'sse', url: `${url}/sse` };
    default:
      await start(
        `${modules}/supergateway/dist/index.js`,
        '--stdio',
        command,
        '--outputTransport',
        'sse',
        '--port',
        `${port}`,
      );
      return { transport: 'sse', url: `${url}/sse` };
  }
}
