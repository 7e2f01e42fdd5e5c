import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connected, type GatewayProcess, REFERENCE_SERVERS, startGateway } from '../support/gateway-process.ts';

const anything = z.looseObject({});
type Raw = Record<string, unknown>;
const ask = (client: Client, method: string, params: object = {}) =>
  client.request({ method, params } as never, anything as never, { timeout: 20_000 }) as unknown as Promise<Raw>;

/** A request's result or its JSON-RPC error, whichever came. */
async function outcome(client: Client, method: string, params: object): Promise<Raw> {
  try {
    return await ask(client, method, params);
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    return { error: { code, message: message.replace(/^MCP error -?\d+: /, '') } };
  }
}

/** Arguments by server and tool; a tool that is not here is called without any, which is an answer too. */
const ARGUMENTS: Record<string, Record<string, object>> = {
  everything: {
    echo: { message: 'hello' },
    'get-annotated-message': { messageType: 'success', includeImage: true },
    'get-resource-links': { count: 3 },
    'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
    'get-structured-content': { location: 'New York' },
    'get-sum': { a: 2, b: 40 },
    'gzip-file-as-resource': { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    'trigger-long-running-operation': { duration: 0.1, steps: 2 },
  },
  filesystem: {
    read_file: { path: 'a.txt' },
    read_text_file: { path: 'a.txt', head: 1 },
    read_media_file: { path: 'a.txt' },
    read_multiple_files: { paths: ['a.txt', 'missing.txt'] },
    write_file: { path: 'new.txt', content: 'x' },
    edit_file: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'ONE' }], dryRun: true },
    create_directory: { path: 'folder' },
    list_directory: { path: '.' },
    list_directory_with_sizes: { path: '.' },
    directory_tree: { path: '.' },
    search_files: { path: '.', pattern: '*.txt' },
    get_file_info: { path: 'a.txt' },
    move_file: { source: 'missing', destination: 'other' },
  },
  memory: {
    create_entities: { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote'] }] },
    create_relations: { relations: [{ from: 'Ada', to: 'Ada', relationType: 'is' }] },
    add_observations: { observations: [{ entityName: 'Ada', contents: ['more'] }] },
    search_nodes: { query: 'Ada' },
    open_nodes: { names: ['Ada'] },
  },
};

/** What shows the environment of its own process, or goes on in the background. */
const SKIPPED = new Set([
  'get-env',
  'toggle-simulated-logging',
  'toggle-subscriber-updates',
  'simulate-research-query',
]);

const folder = mkdtempSync(join(tmpdir(), 'differential-'));
const memoryOf = (side: string) => ({ MEMORY_FILE_PATH: join(folder, `${side}.jsonl`) });
const work = join(folder, 'files');

/** The reference servers on this test's own files; each side has a memory of its own. */
const serversFor = (side: string) =>
  REFERENCE_SERVERS.map(({ alias: _, ...server }) => ({
    ...server,
    args: server.name === 'filesystem' ? [server.args[0]!, work] : server.args,
    env: memoryOf(side),
  }));

const direct = new Map<string, Client>();
let gateway: GatewayProcess;

beforeAll(async () => {
  const { mkdirSync } = await import('node:fs');
  mkdirSync(work);
  writeFileSync(join(work, 'a.txt'), 'one\ntwo\n');
  gateway = await startGateway({ upstream: serversFor('gateway') });
  await connected(gateway, ['everything', 'filesystem', 'memory']);
  for (const { name, command, args, env } of serversFor('direct')) {
    const client = new Client({ name: 'direct', version: '1' });
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...process.env, ...env } as never, stderr: 'ignore' }),
    );
    direct.set(name, client);
  }
}, 60_000);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await Promise.all([...direct.values()].map((client) => client.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** Times differ between two calls, and so do things only one era has. */
function normal(value: Raw, era: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/\d{1,2}:\d{2}:\d{2}(?:\.\d+Z?)?(?:\s[AP]M)?/g, '<time>')
    .replaceAll(/session\/\w+/g, 'session/<id>');
  const plain = JSON.parse(text) as Raw;
  if (era === 'modern') {
    delete plain.resultType;
    delete plain.ttlMs;
    delete plain.cacheScope;
    const { 'io.modelcontextprotocol/serverInfo': _, ...meta } = (plain._meta ?? {}) as Raw;
    if (Object.keys(meta).length > 0) plain._meta = meta;
    else delete plain._meta;
  }
  return plain;
}

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  let through: Client;

  beforeAll(async () => {
    const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
    through = new Client({ name: 'through', version: '1' }, { versionNegotiation: { mode } } as never);
    await through.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    expect(through.getProtocolEra()).toBe(era);
  });
  afterAll(() => through?.close());

  it.each(['everything', 'filesystem', 'memory'])('lists and calls every tool of %s alike', async (server) => {
    const client = direct.get(server)!;
    const own = (await ask(client, 'tools/list')).tools as Raw[];
    const ours = (await ask(through, 'tools/list')).tools as Raw[];
    expect(own.length).toBeGreaterThan(5);
    for (const definition of own) {
      const name = String(definition.name);
      const { execution: _, ...expected } = { ...definition, name: `${server}__${name}` } as Raw;
      const { execution: __, ...listed } = ours.find((tool) => tool.name === `${server}__${name}`) ?? {};
      expect(listed).toEqual(expected);
      if (SKIPPED.has(name)) continue;
      const given = { arguments: ARGUMENTS[server]?.[name] ?? {} };
      const direct_ = await outcome(client, 'tools/call', { name, ...given });
      const answer = await outcome(through, 'tools/call', { name: `${server}__${name}`, ...given });
      expect([name, normal(answer, era)]).toEqual([name, normal(direct_, 'legacy')]);
    }
  });

  it('lists and reads every resource alike', async () => {
    const client = direct.get('everything')!;
    const { resources } = (await ask(client, 'resources/list')) as { resources: Raw[] };
    const { resources: ours } = (await ask(through, 'resources/list')) as { resources: Raw[] };
    expect(resources.length).toBeGreaterThan(0);
    for (const resource of resources) {
      expect(ours).toContainEqual({ ...resource, name: `everything__${resource.name}` });
      const { uri } = resource;
      expect(normal(await ask(through, 'resources/read', { uri }), era)).toEqual(
        normal(await ask(client, 'resources/read', { uri }), 'legacy'),
      );
    }
    const { resourceTemplates } = (await ask(client, 'resources/templates/list')) as { resourceTemplates: Raw[] };
    const { resourceTemplates: templates } = (await ask(through, 'resources/templates/list')) as {
      resourceTemplates: Raw[];
    };
    expect(templates).toEqual(resourceTemplates.map((one) => ({ ...one, name: `everything__${one.name}` })));
  });

  it('resolves the resource links of a tool result', async () => {
    const { content } = (await ask(through, 'tools/call', {
      name: 'everything__get-resource-links',
      arguments: { count: 2 },
    })) as { content: Raw[] };
    const links = content.filter(({ type }) => type === 'resource_link');
    expect(links.length).toBe(2);
    for (const { uri } of links) {
      const { contents } = (await ask(through, 'resources/read', { uri })) as { contents: Raw[] };
      expect(contents[0]!.uri).toBe(uri);
    }
  });

  it('lists, gets and completes every prompt alike', async () => {
    const client = direct.get('everything')!;
    const { prompts } = (await ask(client, 'prompts/list')) as {
      prompts: (Raw & { arguments?: { name: string }[] })[];
    };
    const { prompts: ours } = (await ask(through, 'prompts/list')) as { prompts: Raw[] };
    expect(prompts.length).toBeGreaterThan(2);
    for (const prompt of prompts) {
      const name = `everything__${prompt.name}`;
      expect(ours).toContainEqual({ ...prompt, name });
      const args = Object.fromEntries((prompt.arguments ?? []).map((argument) => [argument.name, '1']));
      const own = await outcome(client, 'prompts/get', { name: prompt.name, arguments: args });
      expect(normal(await outcome(through, 'prompts/get', { name, arguments: args }), era)).toEqual(
        normal(own, 'legacy'),
      );
      for (const argument of prompt.arguments ?? []) {
        const asked = { argument: { name: argument.name, value: '' } };
        const direct_ = await outcome(client, 'completion/complete', {
          ref: { type: 'ref/prompt', name: prompt.name },
          ...asked,
        });
        const answer = await outcome(through, 'completion/complete', { ref: { type: 'ref/prompt', name }, ...asked });
        expect(normal(answer, era)).toEqual(normal(direct_, 'legacy'));
      }
    }
  });
});
