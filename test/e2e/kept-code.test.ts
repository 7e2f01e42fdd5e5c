import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import { connected, type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { until } from '../support/until.ts';
import { type RunningServer, startHttp } from '../support/upstreams/http-server.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const tool = (name: string) => ({ name, description: `${name} of numbers`, inputSchema: { type: 'object' as const } });

const dir = mkdtempSync(join(tmpdir(), 'kept-code-'));
const server = { tools: ['add', 'wait'].map(tool), call };
const gateways: GatewayProcess[] = [];
const clients: Client[] = [];
let upstream: RunningServer;
/** Lets a held call of `wait` go on; undefined while none is held. */
let release: (() => void) | undefined;

async function call(name: string): Promise<JsonObject> {
  if (name === 'wait') {
    await new Promise<void>((done) => {
      release = done;
    });
  }
  return { content: [{ type: 'text', text: name }] };
}

beforeAll(async () => {
  upstream = await startHttp(server);
  const config = {
    store: { dir, allow_delete: true },
    upstream: [{ name: 'numbers', alias: 'calc', transport: 'http', url: upstream.url }],
  };
  gateways.push(...(await Promise.all([0, 1].map(() => startGateway(config)))));
  await Promise.all(gateways.map((gateway) => connected(gateway, ['numbers'])));
  for (const { url } of gateways) {
    const client = new Client({ name: 'e2e', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    clients.push(client);
  }
}, 120_000);

afterAll(async () => {
  release?.();
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
  await upstream?.[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

/** The text of an answer of one of the two processes. */
async function ask(name: string, args: object, process: 0 | 1 = 0): Promise<string> {
  const { content } = await clients[process]!.callTool({ name, arguments: { ...args } });
  return (content as { text: string }[])[0]!.text;
}
const json = async (name: string, args: object = {}, process: 0 | 1 = 0) => JSON.parse(await ask(name, args, process));
const execute = (args: object, process: 0 | 1 = 0) => json('execute_code', args, process);
const file = (name: string) => join(dir, 'shared', `${name}.code`);
const listed = async (name: string) =>
  ((await json('list_code', { limit: 200 })) as { name: string }[]).find((one) => one.name === name);

/** Asks until the script `adds` is marked, or not. */
async function marked(wanted: boolean): Promise<void> {
  while ('invalid' in (await json('get_code', { name: 'adds' })) !== wanted) await sleep(50);
}

describe('two gateways that keep code in one directory', () => {
  it('answer list_code, get_code and delete_code as the contract says, to the last key', async () => {
    await execute({
      name: 'twice',
      code: 'function Run(p) { return 2 * p.n }',
      params: { n: 1 },
      description: 'doubles',
    });
    await execute({ name: 'dates', description: 'dates', instructions: 'Use ISO 8601.' }, 1);
    const [dates, twice] = await json('list_code', {}, 1);
    expect(twice).toEqual({
      name: 'twice',
      description: 'doubles',
      language: 'javascript',
      runs: 1,
      codeLen: 34,
      hasCode: true,
      hasInstructions: false,
      createdAt: TIME,
      updatedAt: TIME,
    });
    expect(dates).toMatchObject({ name: 'dates', codeLen: 0, hasCode: false, hasInstructions: true, runs: 0 });
    const found = await json('list_code', { query: 'dubles' });
    expect(found).toEqual([{ ...twice, score: expect.any(Number) }]);
    expect(String(found[0].score)).toMatch(/^0\.\d{1,3}$/);
    expect(await json('get_code', { name: 'twice' }, 1)).toEqual({
      name: 'twice',
      description: 'doubles',
      language: 'javascript',
      code: 'function Run(p) { return 2 * p.n }',
      entry: '',
      instructions: '',
      createdAt: TIME,
      updatedAt: TIME,
      runs: 1,
      versions: [],
    });
    await execute({ name: 'twice', description: 'gives twice the number' });
    const renewed = await json('get_code', { name: 'twice' });
    expect(renewed).toMatchObject({ versions: [{ version: '1', savedAt: TIME, codeLen: 34 }], runs: 1 });
    expect(await json('get_code', { name: 'twice', version: '1' })).toMatchObject({ description: 'doubles' });
    expect(await ask('get_code', { name: 'twice', version: '9' })).toMatch(
      /^code_not_found: "twice" has no version "9"/,
    );
    expect(await json('delete_code', { name: 'dates' }, 1)).toEqual({ deleted: 'dates' });
    expect(await ask('get_code', { name: 'dates' })).toMatch(/^code_not_found: no code is stored as "dates"/);
    expect(await ask('delete_code', { name: 'dates' })).toMatch(/^code_not_found:/);
  });

  it('keep every save that both make at once, whole', async () => {
    const marks = Array.from({ length: 12 }, (_, index) => `m${index}`);
    const answers = await Promise.all(
      marks.map((mark, index) =>
        execute(
          { name: 'Race', code: `return "${mark}"`, description: mark, instructions: mark },
          (index % 2) as 0 | 1,
        ),
      ),
    );
    expect(answers.map(({ ok, value }) => [ok, value])).toEqual(marks.map((mark) => [true, mark]));
    const last = await json('get_code', { name: 'Race' });
    const versions = last.versions as { version: string }[];
    const all = await Promise.all(versions.map(({ version }) => json('get_code', { name: 'Race', version }, 1)));
    const records = [...all, last] as { code: string; description: string; instructions: string }[];
    for (const { code, description, instructions } of records) {
      expect([code, instructions]).toEqual([`return "${description}"`, description]);
    }
    expect(records.map(({ description }) => description).sort()).toEqual(marks.toSorted());
    expect(last.runs).toBe(12);
  });

  it('keep words that look like the file around them for what they are', async () => {
    const texts = [
      '---\nlanguage: go\n---\nreturn 2',
      '\n---\ninvalid: x\n---\n',
      '"\': {}[]&*!|>%@`#',
      '…ж😀\u2028é',
      '- a\n...\n',
    ];
    for (const [index, text] of texts.entries()) {
      const code = `---\n${text}`;
      const name = `odd${index}`;
      await execute({ name, description: text, instructions: text });
      const kept = await json('get_code', { name }, 1);
      expect(kept).toMatchObject({ description: text, instructions: text, code: '', language: 'javascript' });
      expect(kept).not.toHaveProperty('invalid');
      const answer = await execute({ name, language: 'lua', code: `return 1 --[==[\n${code}\n]==]` });
      expect(answer).toMatchObject({ ok: true, value: 1 });
      expect(await execute({ name }, 1)).toMatchObject({ ok: true, value: 1 });
    }
    const sheet = await ask('search_functions', { query: 'language go invalid x' });
    expect(sheet).not.toMatch(/^---$/m);
  });

  it('tell apart names that differ in capitals only', async () => {
    for (const name of ['case', 'Case', 'CASE', '__proto__', 'constructor', '-', '_']) {
      expect(await execute({ name, code: `return "${name}"` })).toMatchObject({ ok: true });
    }
    for (const name of ['case', 'Case', 'CASE', '__proto__', 'constructor', '-', '_']) {
      expect(await execute({ name }, 1)).toMatchObject({ ok: true, value: name });
      expect(await listed(name)).toMatchObject({ name, runs: 2 });
    }
  });

  it('show a file that was edited into nonsense with what to mend, and go on with the others', async () => {
    const nonsense = {
      cobol: '---\nlanguage: cobol\n---\nreturn 1',
      yaml: '---\n{{{{\n---\nreturn 1',
      bomb: `---\na: &a [x]\ndescription: *a\n---\n`,
      open: `---\n${'\n'.repeat(900_000)}`,
      huge: 'x'.repeat(2_000_000),
      version: '---\nversion: 9007199254740991\n---\nreturn 1',
      time: '---\nupdatedAt: banana\n---\nreturn 1',
      binary: Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3]),
    };
    for (const [name, text] of Object.entries(nonsense)) writeFileSync(file(name), text);
    for (const name of ['cobol', 'yaml', 'bomb', 'huge', 'version', 'time']) {
      expect(await listed(name), name).toMatchObject({ invalid: expect.stringContaining('Mend the file') });
      expect(await ask('get_code', { name }), name).toMatch(
        /^not_runnable: The stored file shared\/\w+\.code cannot be read/,
      );
      expect(await execute({ name }), name).toMatchObject({ ok: false, errorCode: 'not_runnable' });
      expect(await execute({ name, code: 'return 1' }), name).toMatchObject({ ok: false, errorCode: 'not_runnable' });
      const outer = `try { code.run("${name}") } catch (e) { e.code }`;
      expect(await execute({ code: outer }), name).toMatchObject({ ok: true, value: 'not_runnable' });
    }
    expect(await listed('open')).toMatchObject({ hasCode: true });
    expect((await execute({ name: 'binary' })).ok).toBe(false);
    expect(await execute({ name: 'twice', params: { n: 4 } })).toMatchObject({ value: 8 });
    expect(await ask('search_functions', { query: 'add' })).toContain('calc.add');
    for (const name of Object.keys(nonsense)) {
      expect(await json('delete_code', { name })).toEqual({ deleted: name });
    }
  }, 120_000);

  it('go on with a script while another process saves or deletes it', async () => {
    const code = 'function Run() { calc.wait({}); return "old" }';
    for (const meanwhile of [
      () => execute({ name: 'long', code: 'return "new"' }, 1),
      () => execute({ name: 'long', description: 'words' }, 1),
      () => json('delete_code', { name: 'long' }, 1),
    ]) {
      writeFileSync(file('long'), code);
      release = undefined;
      const running = execute({ name: 'long' });
      await until(() => release !== undefined);
      await meanwhile();
      release!();
      expect(await running).toMatchObject({ ok: true, value: 'old' });
    }
    expect(await listed('long')).toBeUndefined();
    expect(readdirSync(join(dir, 'shared')).filter((name) => name.startsWith('long'))).toEqual([]);
  });

  it('say in sheets and answers how stored scripts are called, in words that run', async () => {
    await execute({
      name: 'square_number',
      code: 'function Run(p) { return p.n * p.n }',
      params: { n: 1 },
      description: 'square of a number',
    });
    for (const [language, head, tail] of [
      ['javascript', 'function Run() { return ', ' }'],
      ['typescript', 'function Run(): unknown { return ', ' }'],
      ['lua', 'function Run() return ', ' end'],
      ['go', 'package main\nimport "code"\nfunc Run() (any, error) { return ', ' }'],
    ] as const) {
      const found = await ask('search_functions', { query: 'square of a number', language });
      const shown = /^code\.[rR]un\("square_number", (?:\{…\}|map\[string\]any\{…\})\)/m.exec(found)?.[0] ?? found;
      const given = { javascript: 'n: 7', typescript: 'n: 7', lua: 'n = 7', go: '"n": 7' }[language];
      const answer = await execute({ language, code: `${head}${shown.replace('…', given)}${tail}` });
      expect(answer, shown).toMatchObject({ ok: true, value: 49, toolCalls: 1 });
      expect(await ask('get_functions_description', { language })).toContain(shown.replace('square_number', 'name'));
    }
  });

  it('mark the scripts that use a tool which a refresh has removed, until it is back', async () => {
    await execute({ name: 'adds', code: 'function Run() { return calc.add({}) }', description: 'adds up all numbers' });
    server.tools = ['sum_up', 'add_all', 'wait'].map(tool);
    upstream.notify('notifications/tools/list_changed');
    await marked(true);
    expect(await listed('adds')).toMatchObject({
      invalid: expect.stringContaining('there is no function calc.add: calc'),
    });
    expect(readFileSync(file('adds'), 'utf8')).toContain('invalid: ');
    expect(await ask('search_functions', { query: 'adds up all numbers' })).toMatch(
      /code\.run\("adds", .*no longer runs/,
    );
    server.tools = ['add', 'wait'].map(tool);
    upstream.notify('notifications/tools/list_changed');
    await marked(false);
    expect(await execute({ name: 'adds' }, 1)).toMatchObject({ ok: true, value: 'add' });
  });
});

describe('a gateway whose store has a scope for each user', () => {
  it('keeps, lists, finds, reads, runs and deletes what is a user’s own, and nothing of another', async () => {
    const secret = 'a secret of the test that is long enough';
    await using gateway = await startGateway({
      auth: { jwt_secret: secret },
      store: { dir: join(dir, 'scoped'), allow_delete: true, scope: 'user' },
    });
    const as = async (id: string) => {
      const signed = new SignJWT({ id }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h');
      const authorization = `Bearer ${await signed.sign(new TextEncoder().encode(secret))}`;
      const client = new Client({ name: 'e2e', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers: { authorization } } }),
      );
      clients.push(client);
      return async (name: string, args: object = {}) => {
        const { content } = await client.callTool({ name, arguments: { ...args } });
        return (content as { text: string }[])[0]!.text;
      };
    };
    const [ada, bob] = [await as('ada'), await as('../Ada Ж')];
    await ada('execute_code', { name: 'mine', code: 'return "of ada"', description: 'weekly report' });
    expect(JSON.parse(await bob('list_code'))).toEqual([]);
    expect(await bob('get_code', { name: 'mine' })).toMatch(/^code_not_found/);
    expect(await bob('delete_code', { name: 'mine' })).toMatch(/^code_not_found/);
    expect(await bob('search_functions', { query: 'weekly report' })).not.toContain('mine');
    for (const args of [{ name: 'mine' }, { code: 'code.run("mine")' }]) {
      expect(JSON.parse(await bob('execute_code', args))).toMatchObject({ errorCode: 'code_not_found' });
    }
    await bob('execute_code', { name: 'mine', code: 'return "of bob"' });
    expect(JSON.parse(await ada('execute_code', { code: 'code.run("mine")' }))).toMatchObject({ value: 'of ada' });
    expect(JSON.parse(await bob('execute_code', { name: 'mine' }))).toMatchObject({ value: 'of bob' });
    expect(JSON.parse(await ada('get_code', { name: 'mine' }))).toMatchObject({ savedBy: 'ada', updatedBy: 'ada' });
    expect(await ada('search_functions', { query: 'weekly report' })).toContain('code.run("mine"');
    expect(readdirSync(join(dir, 'scoped'))).toHaveLength(2);
  });
});
