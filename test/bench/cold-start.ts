/**
 * What a cold start costs: fresh processes with the bundled gateway, each timed from the import of the bundle to its first
 * answers, in milliseconds. `npm run bench:cold-start [processes]`. Read the medians side by side only: other work on the machine counts.
 */
import { bundleFunction } from '../../infra/bundle.ts';
import { runtimeConfig } from '../../infra/runtime-config.ts';
import { configSchema } from '../../lib/config/schema.ts';
import { startDynamoDb } from '../support/dynamodb.ts';
import { type Environment, startEnvironment } from '../support/lambda/environment.ts';

const processes = Number(process.argv[2] ?? 15);
const LANGUAGES = {
  javascript: 'function Run() { return 1 }',
  lua: 'function Run() return 1 end',
  go: 'package main\nfunc Run() interface{} { return 1 }',
};

function eventOf(method: string, params: object, session?: string) {
  const headers = { 'content-type': ['application/json'], accept: ['application/json, text/event-stream'] };
  return {
    httpMethod: 'POST',
    path: '/mcp',
    multiValueHeaders: { ...headers, ...(session ? { 'mcp-session-id': [session] } : {}) },
    multiValueQueryStringParameters: null,
    requestContext: { domainName: 'localhost' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    isBase64Encoded: false,
  };
}

/** Sends one request; answers how long it took, milliseconds, and what came. */
async function timed(environment: Environment, event: object) {
  let session = '';
  let text = '';
  const start = performance.now();
  await environment.invoke(event, {
    onHead: ({ headers }) => {
      session = headers['mcp-session-id'] ?? '';
    },
    onChunk: (chunk) => {
      text += chunk;
    },
  });
  return { ms: performance.now() - start, session, text };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const dynamo = await startDynamoDb();
const config = configSchema.parse({ deploy: { public: true } });
const folder = bundleFunction('bench-gateway', {
  entry: 'functions/mcp.ts',
  sandbox: true,
  files: { 'config.json': runtimeConfig(config, []) },
});
const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
const env = {
  ...Object.fromEntries(aws),
  TABLE_NAME: dynamo.tableName,
  BUCKET_NAME: 'bodies',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
} as Record<string, string>;

const figures: Record<string, number[]> = {};
const note = (name: string, figure: number) => {
  figures[name] = [...(figures[name] ?? []), figure];
};
for (const [language, code] of Object.entries(LANGUAGES)) {
  for (let i = 0; i < processes; i++) {
    const environment = await startEnvironment(folder, env);
    note('import and init', environment.importMs);
    const clientInfo = { name: 'bench', version: '1' };
    const first = await timed(
      environment,
      eventOf('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    );
    note('first request (initialize)', first.ms);
    const run = eventOf('tools/call', { name: 'execute_code', arguments: { language, code } }, first.session);
    const answered = await timed(environment, run);
    if (!answered.text.includes('\\"ok\\":true')) throw new Error(answered.text);
    note(`first run of ${language}`, answered.ms);
    note(`second run of ${language}`, (await timed(environment, run)).ms);
    note(`memory with ${language}, MB`, environment.maxRssMb);
    await environment.kill();
  }
}
for (const [name, values] of Object.entries(figures)) {
  console.log(
    `${name.padEnd(28)} median ${median(values).toFixed(0).padStart(5)} ms  least ${Math.min(...values)
      .toFixed(0)
      .padStart(5)} ms`,
  );
}
await dynamo.close();
