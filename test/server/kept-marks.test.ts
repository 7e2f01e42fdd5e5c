import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../lib/server/http.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { messages, modern } from '../support/mcp-requests.ts';
import { stubServices } from '../support/stub-services.ts';

const folder = mkdtempSync(join(tmpdir(), 'marks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const store = createDirectoryStore(folder);
const answer = () => ({ content: [] });
const servers = { os: { read_file: { answer }, open_vault: { answer } } };

/** What one caller, to whom the vault may be closed, reads of the mark by every tool that shows it. */
async function told(closed: boolean, mark: string): Promise<string[]> {
  const { revision } = await store.save('shared', 'kept', { code: 'x', description: 'counts files' }, 0);
  await store.markInvalid('shared', 'kept', mark, revision);
  const exposure = (_: string, name: string) => (closed && name === 'open_vault' ? 'none' : 'both');
  const gateway = createGateway(stubServices({ servers, exposure, overrides: { store } }));
  const asked = [
    { name: 'get_code', arguments: { name: 'kept' } },
    { name: 'list_code', arguments: {} },
    { name: 'list_code', arguments: { query: 'counts files' } },
    { name: 'search_functions', arguments: { query: 'counts files' } },
  ];
  return Promise.all(
    asked.map(async (params) => {
      const { result } = (await messages(await modern(gateway, 'tools/call', params))).at(-1)!;
      return (result as { content: { text: string }[] }).content[0]!.text;
    }),
  );
}

describe('the mark of kept code', () => {
  const mark = 'there is no function os.open_valt: os.open_valt → os.open_vault\n1 | os.open_valt()';

  it('advises each reader what is open to them, and names nothing else', async () => {
    for (const text of await told(false, mark)) expect(text).toContain('os.open_valt → os.open_vault');
    for (const text of await told(true, mark)) {
      expect(text).toContain('there is no function os.open_valt: os has os.read_file');
      expect(text).not.toContain('open_vault');
    }
  });

  it('says so where a script of the script is meant', async () => {
    for (const text of await told(true, `code.run("inner"): ${mark}`)) {
      expect(text.replaceAll('\\"', '"')).toContain('code.run("inner"): there is no function os.open_valt: os has');
      expect(text).not.toContain('open_vault');
    }
  });

  it('is not repeated where a script made up the name', async () => {
    for (const text of await told(true, 'there is no function os.a\nb: c: os has os.open_vault, os.read_file')) {
      expect(text).toContain('it calls a function that is not there');
      expect(text).not.toContain('open_vault');
    }
  });

  it('of a function that is back says when it was missing', async () => {
    for (const text of await told(false, 'there is no function os.read_file: os has os.open_vault')) {
      expect(text).toContain('there was no function os.read_file when it last ran');
    }
  });

  it('that names no function is shown as it is', async () => {
    for (const text of await told(true, 'kept.code: there is no end of the words.')) {
      expect(text).toContain('kept.code: there is no end of the words');
    }
  });
});
