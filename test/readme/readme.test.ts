import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/upstreams/start-process.ts';
import { markedBlocks } from './blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}/README.md`, 'utf8');
const blocks = markedBlocks(readme);
const scripts = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).scripts as Record<string, string>;
const LANGUAGES: Record<string, string> = { js: 'javascript', ts: 'typescript', lua: 'lua', go: 'go' };

let server: ChildProcess;
let client: Client;
let base: string;

function block(name: string): string {
  const found = blocks.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`README has no block marked ${name}`);
  return found.text;
}

async function call(name: string, args: Record<string, unknown>) {
  const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? 'null');
}

beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  // `npm ci` is what brought this test its packages; the rest of the README's line is run as it stands.
  const command = block('start').replace('npm ci && ', '');
  server = spawn('bash', ['-c', `exec ${command}`], {
    cwd: root,
    env: { ...process.env, SERVER_ADDRESS: `127.0.0.1:${port}`, CONFIG_FILE: 'config.example.yaml' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  server.stdout?.resume();
  client = new Client({ name: 'readme', version: '1' });
  for (let attempt = 0; ; attempt++) {
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
      break;
    } catch (error) {
      if (attempt === 100) throw error;
      client = new Client({ name: 'readme', version: '1' });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  for (let attempt = 0; attempt < 200; attempt++) {
    const servers: { state: string }[] = await call('list_servers', {});
    if (servers.every(({ state }) => state === 'connected')) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}, 120_000);

afterAll(async () => {
  await client?.close();
  if (server?.pid) process.kill(-server.pid, 'SIGTERM');
});

describe('the README', () => {
  it('shows a request whose answer is as printed', async () => {
    const command = block('request').replaceAll('http://127.0.0.1:8000', base);
    const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: root });
    const { durationMs, ...answer } = JSON.parse(JSON.parse(stdout).content[0].text);
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(answer).toEqual(JSON.parse(block('answer')));
  }, 60_000);

  it.each(blocks.filter(({ name }) => name === 'script'))(
    'shows a script in $language whose value is as printed',
    async ({ language, argument, text }) => {
      const expected = text.split(/(?:\/\/|--) → /)[1];
      const result = await call('execute_code', {
        language: LANGUAGES[language],
        code: text,
        params: JSON.parse(argument),
      });
      expect(result).toMatchObject({ ok: true, value: JSON.parse(expected ?? 'null') });
    },
    60_000,
  );

  it('shows a failure whose code, line and text are as printed', async () => {
    const [code, line, message] = /→ (\w+), line (\d+): (.*)/.exec(block('failure'))?.slice(1) ?? [];
    const result = await call('execute_code', { code: block('failure') });
    expect(result).toMatchObject({ ok: false, errorCode: code, line: Number(line) });
    expect(result.error.split('\n')[0]).toBe(message);
  });

  it('names npm commands that exist', () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z][a-z0-9:-]+)/g)].map(([, name]) => name ?? '');
    const own = new Set(named.filter((name) => !['ci', 'and'].includes(name)));
    expect(own.size).toBeGreaterThan(3);
    expect([...own].filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(() => readFileSync(`${root}/${path}`), path).not.toThrow();
  });
});
