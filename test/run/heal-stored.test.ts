import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { configSchema } from '../../lib/config/schema.ts';
import type { Catalogue } from '../../lib/registry/contract.ts';
import { healStored, watchStored } from '../../lib/run/heal-stored.ts';
import type { Language } from '../../lib/sandbox/contract.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { stubServices } from '../support/stub-services.ts';
import { until } from '../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'heal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let stores = 0;

const SCRIPTS: Record<string, [Language, string]> = {
  plain: ['javascript', 'function Run() { return os.read_file({ path: "/" }) }'],
  spaced: ['lua', 'function Run() return os . read_file({}) end'],
  go: ['go', 'import "os"\nfunc Run() (any, error) { return os.ReadFile(nil) }'],
  longer: ['javascript', 'os.read_file_list({})'],
  chained: ['typescript', 'os?.read_file({})'],
  bracket: ['javascript', 'const u = "http://x"; os["read_file"]({})'],
  renamed: ['go', 'import files "os"\nfunc Run() (any, error) { return files.ReadFile(nil) }'],
  remark: ['javascript', '// os.read_file\n/* os.read_file */ os.stat({})'],
  noted: ['lua', '-- os.read_file\n--[[ os.read_file ]] os.stat({})'],
  other: ['javascript', 'const cos = { read_file() {} }; cos.read_file(); my.os.read_file()'],
  untouched: ['javascript', 'os.stat({})'],
};

const USING = ['bracket', 'chained', 'go', 'plain', 'renamed', 'spaced'];

async function setup() {
  const store = createDirectoryStore(join(folder, String(stores++)));
  for (const [name, [language, code]] of Object.entries(SCRIPTS)) {
    await store.save('shared', name, { language, code }, Date.now());
  }
  await store.save('shared', 'skill', { instructions: 'call os.read_file' }, Date.now());
  const answer = () => ({ content: [] });
  const tools = { read_file: { answer }, read_text_file: { answer }, read_file_list: { answer }, stat: { answer } };
  const services = stubServices({ servers: { os: tools }, overrides: { store } });
  const before = await services.catalogue(ANONYMOUS);
  const without = (state: 'connected' | 'failed'): Catalogue => ({
    version: state,
    servers: before.servers.map((server) => ({
      ...server,
      state,
      tools: server.tools.filter((tool) => state === 'connected' && tool.snakeName !== 'read_file'),
    })),
  });
  return { store, services, before, without };
}

describe('a function that is gone', () => {
  it('marks the scripts that use it, in each language, and no others', async () => {
    const { store, services, before, without } = await setup();
    const after = without('connected');
    const view = { key: 'after', servers: after.servers, functions: after.servers[0]!.tools, proxies: [] };
    expect((await healStored({ ...services, view: () => view }, before, after)).sort()).toEqual(USING);
    expect((await store.get('shared', 'plain'))!.invalid).toContain('os.read_file → os.read_');
    expect((await store.get('shared', 'go'))!.invalid).toContain('os.ReadFile → os.Read');
    expect((await store.get('shared', 'untouched'))!.invalid).toBeUndefined();
  });

  it('marks in every scope, and takes the marks off when the function is back', async () => {
    const { store, services, before, without } = await setup();
    const [language, code] = SCRIPTS['plain']!;
    for (const scope of ['user:ada', 'user:Ada Lovelace'])
      await store.save(scope, 'mine', { language, code }, Date.now());
    await store.save('shared', 'else', { language, code: 'os.stat({})' }, Date.now());
    const other = (await store.get('shared', 'else'))!;
    await store.markInvalid('shared', 'else', 'there is no function os.read: os has os.stat', other.revision);
    const after = without('connected');
    expect(await healStored(services, before, after)).toHaveLength(USING.length + 2);
    for (const scope of ['user:ada', 'user:Ada Lovelace']) {
      expect((await store.get(scope, 'mine'))!.invalid).toContain('there is no function os.read_file');
    }
    expect(await healStored(services, after, before)).toEqual([]);
    const records = await Promise.all((await store.scopes()).map((scope) => store.list(scope)));
    expect(records.flat().filter(({ invalid }) => invalid !== undefined)).toMatchObject([{ name: 'else' }]);
  });

  it('marks the others where one record cannot be read', async () => {
    const { store, services, before, without } = await setup();
    const get: typeof store.get = (scope, name) =>
      name === 'plain' ? Promise.reject(new Error()) : store.get(scope, name);
    const marked = await healStored({ ...services, store: { ...store, get } }, before, without('connected'));
    expect(marked).toHaveLength(USING.length - 1);
  });

  it('is found in a program with much data, which keeps nobody waiting', async () => {
    const { store, services, before, without } = await setup();
    const data = `var data = "${'a'.repeat(200_000)}"`;
    await store.save('shared', 'much', { language: 'go', code: `${data}\n${SCRIPTS['renamed']![1]}` }, Date.now());
    await store.save('shared', 'none', { language: 'go', code: `${data}\nvar name = "ReadFile"` }, Date.now());
    expect(await healStored(services, before, without('connected'))).toHaveLength(USING.length + 1);
    expect((await store.get('shared', 'much'))!.invalid).toContain('os.ReadFile');
  });

  it('marks nothing for a server that lists for each user', async () => {
    const { services, before, without } = await setup();
    const [upstream] = configSchema.parse({
      upstream: [{ name: 'os', transport: 'http', url: 'http://127.0.0.1:1', catalogue: 'per_user' }],
    }).upstream;
    const config = { ...services.config, upstream: [upstream!] };
    expect(await healStored({ ...services, config }, before, without('connected'))).toEqual([]);
  });

  it('marks nothing while its server is only down', async () => {
    const { services, before, without } = await setup();
    expect(await healStored(services, before, without('failed'))).toEqual([]);
  });

  it('is noticed by a process that lives on, when its catalogue changes', async () => {
    const { store, services, before, without } = await setup();
    let now = before;
    const marked: unknown[] = [];
    services.log = (_level, msg, fields) => void (msg === 'stored code no longer runs' && marked.push(fields?.name));
    services.catalogue = async () => now;
    watchStored(services);
    services.announce(['tools']);
    await services.catalogue(ANONYMOUS);
    await new Promise(setImmediate);
    now = without('connected');
    services.announce(['tools']);
    await until(() => marked.length === USING.length);
    expect((await store.get('shared', 'plain'))!.invalid).toContain('os.read_file');
  });
});
