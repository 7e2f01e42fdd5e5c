import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../lib/access/caller.ts';
import { createTable } from '../../lib/dynamodb.ts';
import type { JsonObject } from '../../lib/json.ts';
import { executeCode } from '../../lib/run/execute-code.ts';
import type { Language } from '../../lib/sandbox/contract.ts';
import type { ServerServices } from '../../lib/server/services.ts';
import type { CodeRecord, CodeStore } from '../../lib/store/contract.ts';
import { createDirectoryStore } from '../../lib/store/directory-store.ts';
import { createAwsStore } from '../../lib/store/dynamodb.ts';
import { createBodyStore } from '../../lib/store/s3.ts';
import { createSandbox } from '../../wasm/sandbox.ts';
import { tablePart } from '../store/table-part.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';
import { type FakeS3, startS3 } from '../support/s3-server.ts';
import { stubServices } from '../support/stub-services.ts';

const LANGUAGES: Language[] = ['javascript', 'typescript', 'lua', 'go'];
const sandbox = createSandbox({ languages: LANGUAGES });
const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
let dynamo: FakeDynamoDb;
let s3: FakeS3;

beforeAll(async () => {
  dynamo = await startDynamoDb();
  s3 = await startS3();
});
afterAll(async () => {
  await Promise.all([sandbox.close(), dynamo.close(), s3.close()]);
  rmSync(folder, { recursive: true });
});

/** A new, empty store of each kind. */
const STORES: [string, () => CodeStore][] = [
  ['the directory', () => createDirectoryStore(join(folder, randomUUID()))],
  ['AWS', () => createAwsStore(tablePart(createTable(dynamo.tableName), randomUUID()), createBodyStore(s3.bucket))],
];

/** One program a language: the parameter plus what a tool answers. */
const ADD: Record<Language, string> = {
  javascript: 'function Run(p) { return calc.one({}).n + p.n }',
  typescript: 'function Run(p: { n: number }): number { return calc.one({}).n + p.n }',
  lua: 'function Run(p) return calc.one({}).n + p.n end',
  go: 'package main\nimport "calc"\nfunc Run(p map[string]any) (any, error) {\n\tv, err := calc.One(map[string]any{})\n\tif err != nil { return nil, err }\n\treturn v.(map[string]any)["n"].(float64) + p["n"].(float64), nil\n}',
};

const THROW: Record<Language, string> = {
  javascript: 'function Run() { throw new Error("broken") }',
  typescript: 'function Run(): never { throw new Error("broken") }',
  lua: 'function Run() error("broken") end',
  go: 'package main\nfunc Run() any { panic("broken") }',
};

/** Calls the stored script `inner`. */
const CALL: Record<Language, string> = {
  javascript: 'function Run(p) { return code.run("inner", p) }',
  typescript: 'function Run(p: object): unknown { return code.run("inner", p) }',
  lua: 'function Run(p) return code.run("inner", p) end',
  go: 'package main\nimport "code"\nfunc Run(p map[string]any) (any, error) { return code.Run("inner", p) }',
};

const OTHER: Record<Language, Language> = { javascript: 'lua', typescript: 'go', lua: 'javascript', go: 'typescript' };

function servicesOn(store: CodeStore | undefined, config: JsonObject = {}): ServerServices {
  return stubServices({
    servers: { calc: { one: { answer: () => ({ content: [], structuredContent: { n: 1 } }) } } },
    config: { languages: ['javascript', 'lua', 'go'], ...config },
    overrides: { sandbox: async () => sandbox, ...(store && { store }) },
  });
}

async function run(services: ServerServices, args: JsonObject): Promise<JsonObject> {
  const options = { caller: ANONYMOUS, signal: new AbortController().signal };
  const { content, isError } = await executeCode(services, args, options);
  return { ...(JSON.parse(String(content![0]!.text)) as JsonObject), isError: isError === true };
}

/** A row of the matrix: what is kept before, what is asked, what is answered and what is kept then. */
interface Row {
  row: string;
  /** The record `kept` before: a script, a skill, or nothing. */
  before?: 'script' | 'skill';
  ask: (language: Language) => JsonObject;
  answer: JsonObject;
  kept: (language: Language) => Partial<CodeRecord> | undefined;
}

const params = { n: 41 };
const words = { description: 'adds one', instructions: 'Give n.' };
const script = (language: Language) => ({ language, code: ADD[language], entry: '', description: 'old', runs: 0 });
const skill = (language: Language) => ({ language, code: '', description: 'old', runs: 0 });
const fails = (errorCode: string) => ({ ok: false, errorCode, isError: true });

const MATRIX: Row[] = [
  {
    row: 'code without a name runs and keeps nothing',
    ask: (language) => ({ language, code: ADD[language], params }),
    answer: { ok: true, value: 42 },
    kept: () => undefined,
  },
  {
    row: 'neither code nor name is an error',
    ask: (language) => ({ language, params }),
    answer: fails('invalid_arguments'),
    kept: () => undefined,
  },
  {
    row: 'words without a name and code are an error',
    ask: (language) => ({ language, ...words }),
    answer: fails('invalid_arguments'),
    kept: () => undefined,
  },
  {
    row: 'a name alone runs the stored code with params and counts',
    before: 'script',
    ask: () => ({ name: 'kept', params }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(language), runs: 1 }),
  },
  {
    row: 'a name alone runs the stored language, whatever language is named',
    before: 'script',
    ask: (language) => ({ name: 'kept', language: OTHER[language], params }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(language), runs: 1 }),
  },
  {
    row: 'a name of nothing is an error',
    ask: (language) => ({ language, name: 'kept', params }),
    answer: fails('code_not_found'),
    kept: () => undefined,
  },
  {
    row: 'a name with code runs and keeps it with its words',
    ask: (language) => ({ language, name: 'kept', code: ADD[language], params, ...words }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(language), ...words, runs: 1 }),
  },
  {
    row: 'a name with other code replaces the code and keeps the words',
    before: 'script',
    ask: (language) => ({ language: OTHER[language], name: 'kept', code: ADD[OTHER[language]], params }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(OTHER[language]), runs: 1 }),
  },
  {
    row: 'a name with code and no language takes the stored language',
    before: 'script',
    ask: (language) => ({ name: 'kept', code: `${ADD[language]}\n`, params }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(language), code: `${ADD[language]}\n`, runs: 1 }),
  },
  {
    row: 'a name with code that fails keeps what there was',
    before: 'script',
    ask: (language) => ({ language, name: 'kept', code: THROW[language], ...words }),
    answer: fails('runtime'),
    kept: script,
  },
  {
    row: 'a name with code that fails keeps nothing new',
    ask: (language) => ({ language, name: 'kept', code: THROW[language], ...words }),
    answer: fails('runtime'),
    kept: () => undefined,
  },
  {
    row: 'a name with words makes a skill, without a run',
    ask: (language) => ({ language, name: 'kept', ...words }),
    answer: { ok: true, value: { saved: 'kept', hasCode: false }, toolCalls: 0 },
    kept: (language) => ({ ...skill(language), ...words }),
  },
  {
    row: 'a name with words keeps the code and its language, whatever language and entry are named',
    before: 'script',
    ask: (language) => ({ language: OTHER[language], entry: 'Other', name: 'kept', instructions: 'Give n.' }),
    answer: { ok: true, value: { saved: 'kept', hasCode: true }, toolCalls: 0 },
    kept: (language) => ({ ...script(language), instructions: 'Give n.' }),
  },
  {
    row: 'a skill cannot be run, and says to read it',
    before: 'skill',
    ask: () => ({ name: 'kept', params }),
    answer: { ...fails('not_runnable'), error: expect.stringContaining('get_code("kept")') as unknown as string },
    kept: skill,
  },
  {
    row: 'a skill becomes a script by code',
    before: 'skill',
    ask: (language) => ({ language, name: 'kept', code: ADD[language], params }),
    answer: { ok: true, value: 42 },
    kept: (language) => ({ ...script(language), runs: 1 }),
  },
  {
    row: 'an entry is kept with the code',
    ask: (language) => ({
      language,
      name: 'kept',
      code: ADD[language].replace('Run(', 'Main('),
      entry: 'Main',
      params,
    }),
    answer: { ok: true, value: 42 },
    kept: () => ({ entry: 'Main', runs: 1 }),
  },
];

describe.each(STORES)('execute_code on %s', (kind, open) => {
  describe.each(LANGUAGES)('in %s', (language) => {
    it.each(MATRIX)('$row', async ({ before, ask, answer, kept }) => {
      const store = open();
      const code = before === 'script' ? { code: ADD[language] } : {};
      if (before) await store.save('shared', 'kept', { language, description: 'old', ...code }, Date.now());
      expect(await run(servicesOn(store), ask(language))).toMatchObject({ isError: false, ...answer });
      const record = await store.get('shared', 'kept');
      const expected = kept(language);
      if (expected) expect(record).toMatchObject(expected);
      else expect(await store.list('shared')).toEqual([]);
    });

    it('runs code kept with an entry by that entry, and new code without one by Run', async () => {
      const store = open();
      const services = servicesOn(store);
      const main = ADD[language].replace('Run(', 'Main(');
      await run(services, { language, name: 'kept', code: main, entry: 'Main', params });
      expect(await run(services, { name: 'kept', params })).toMatchObject({ value: 42 });
      await run(services, { language, name: 'kept', code: ADD[language], params });
      expect(await run(services, { name: 'kept', params })).toMatchObject({ ok: true, value: 42 });
      expect(await store.get('shared', 'kept')).toMatchObject({ entry: '', runs: 4 });
      expect(await store.get('shared', 'kept', '1')).toMatchObject({ entry: 'Main', code: main });
    });

    it('marks a script whose function is gone, naming the nearest, never for a right, and clears by a success', async () => {
      const store = open();
      const services = servicesOn(store);
      const gone = ADD[language].replace('.one(', '.onee(').replace('.One(', '.Onee(');
      await store.save('shared', 'kept', { language, code: gone }, Date.now());
      expect(await run(services, { name: 'kept', params })).toMatchObject(fails('function_not_found'));
      expect((await store.get('shared', 'kept'))?.invalid).toMatch(/calc\.one/i);
      await run(services, { language, name: 'kept', code: ADD[language], params });
      expect(await store.get('shared', 'kept')).not.toHaveProperty('invalid');
      services.view = (catalogue) => ({ key: 'none', servers: catalogue.servers, functions: [], proxies: [] });
      expect(await run(services, { name: 'kept', params })).toMatchObject(fails('forbidden'));
      expect(await store.get('shared', 'kept')).not.toHaveProperty('invalid');
    });

    it('calls stored code of every language by code.run, on one budget', async () => {
      const store = open();
      const services = servicesOn(store, { limits: { max_tool_calls: 2 } });
      for (const inner of LANGUAGES) {
        await store.save('shared', 'inner', { language: inner, code: ADD[inner] }, Date.now());
        const answer = await run(services, { language, code: CALL[language], params });
        expect(answer, inner).toMatchObject({ ok: true, value: 42, toolCalls: 2 });
      }
      expect(await store.get('shared', 'inner')).toMatchObject({ runs: 4 });
      const one = servicesOn(store, { limits: { max_tool_calls: 1 } });
      expect(await run(one, { language, code: CALL[language], params })).toMatchObject({
        ...fails('tool_calls_exceeded'),
        toolCalls: 1,
      });
    });

    it('refuses a circle of stored scripts, and more than 8 of them inside one another', async () => {
      const store = open();
      const services = servicesOn(store);
      await store.save('shared', 'inner', { language, code: CALL[language] }, Date.now());
      const circle = await run(services, { name: 'inner', params });
      expect(circle).toMatchObject({
        ...fails('invalid_arguments'),
        error: expect.stringContaining('already running'),
      });
      for (let at = 0; at < 10; at++) {
        const code = CALL[language].replace('"inner"', `"s${at + 1}"`);
        await store.save('shared', `s${at}`, { language, code }, Date.now());
      }
      const deep = await run(services, { name: 's0', params });
      expect(deep).toMatchObject({ ...fails('invalid_arguments'), toolCalls: 8 });
      expect(deep.error).toContain('8 deep at most');
    });
  });

  it.runIf(kind === 'AWS')('lets new code take the place of a body that is lost or damaged', async () => {
    const store = open();
    const services = servicesOn(store);
    for (const harm of [{ method: 'DELETE' }, { method: 'PUT', body: 'return 2' }]) {
      const name = randomUUID();
      await run(services, { name, code: 'return 1' });
      const key = `code/shared/${name}/${createHash('sha256').update('return 1').digest('hex')}`;
      expect((await fetch(`${s3.endpoint}/${s3.bucket}/${key}`, harm)).ok).toBe(true);
      expect(await run(services, { name })).toMatchObject(fails('internal'));
      expect(await run(services, { name, code: 'return 3' })).toMatchObject({ ok: true, value: 3 });
      expect(await run(services, { name })).toMatchObject({ ok: true, value: 3 });
    }
  });

  it('answers store_disabled for any name where there is no store', async () => {
    for (const more of [{}, { code: '1' }, { description: 'x' }, { instructions: 'x' }]) {
      expect(await run(servicesOn(undefined), { name: 'kept', ...more })).toMatchObject(fails('store_disabled'));
    }
  });
});
