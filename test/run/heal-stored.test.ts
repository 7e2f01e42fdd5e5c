import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
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
  other: ['javascript', 'const cos = { read_file() {} }; cos.read_file(); my.os.read_file()'],
  untouched: ['javascript', 'os.stat({})'],
};

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
    expect((await healStored({ ...services, view: () => view }, before, after)).sort()).toEqual([
      'go',
      'plain',
      'spaced',
    ]);
    expect((await store.get('shared', 'plain'))!.invalid).toContain('os.read_file → os.read_');
    expect((await store.get('shared', 'go'))!.invalid).toContain('os.ReadFile → os.Read');
    expect((await store.get('shared', 'untouched'))!.invalid).toBeUndefined();
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
    await until(() => marked.length === 3);
    expect((await store.get('shared', 'plain'))!.invalid).toContain('os.read_file');
  });
});
