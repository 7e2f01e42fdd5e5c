/**
 * A fake upstream as a process: `node stdio-server.ts <mode> [catalogue]`. Modes: `serve`, `modern` (refuses `initialize`),
 * `hang` (never answers), `exit` (ends at once), `fail` (ends at once with a line on stderr), `crash` (ends when a tool is called), `noisy` (speaks to stderr first, in two pieces, also of its second argument).
 */
import { createInterface } from 'node:readline';
import { answer, type FakeServer, type Message, RpcFailure, recordedTools } from './fake-server.ts';

const [mode = 'serve', catalogue] = process.argv.slice(2);

const server: FakeServer = {
  tools: [
    { name: 'env', inputSchema: { type: 'object' } },
    { name: 'change', inputSchema: { type: 'object' } },
    { name: 'wait', inputSchema: { type: 'object' } },
    ...(catalogue && mode !== 'noisy' ? recordedTools(catalogue) : []),
  ],
  async call(name, args) {
    if (mode === 'crash') process.exit(3);
    if (name === 'env')
      return { content: [], structuredContent: { ...process.env, cwd: process.cwd(), pid: process.pid } };
    if (name === 'change') write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    if (name === 'wait') await new Promise((resolve) => setTimeout(resolve, 60_000));
    return { content: [{ type: 'text', text: JSON.stringify({ called: name, arguments: args }) }] };
  },
  ...(mode === 'modern' && {
    methods: {
      initialize: () => {
        throw new RpcFailure(-32022, 'Unsupported protocol version', { supported: ['2026-07-28'], requested: '' });
      },
    },
  }),
};

function write(message: Message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

if (mode === 'exit') process.exit(2);
if (mode === 'fail') {
  process.stderr.write(`reading settings\nno account for ${process.env['API_KEY']}`);
  process.exit(4);
}
if (mode === 'hang') process.stderr.write('downloading\n');
if (mode === 'noisy') {
  const key = process.env['API_KEY'] ?? '';
  process.stderr.write(`starting with key ${key.slice(0, 4)}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.stderr.write(`${key.slice(4)} and ${catalogue}\n`);
}
for await (const line of createInterface({ input: process.stdin })) {
  if (mode === 'hang') continue;
  void answer(server, JSON.parse(line) as Message).then((reply) => {
    if (!reply) return;
    if (mode === 'modern' && reply['result'])
      reply['result'] = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...(reply['result'] as object) };
    write(reply);
  });
}
process.exit(0);
