import { fileURLToPath } from 'node:url';
import { configSchema, type UpstreamConfig } from '../../../lib/config/schema.ts';
import { silent } from '../../../lib/log.ts';
import type { Upstream } from '../../../lib/upstream/contract.ts';
import { createUpstream, type UpstreamServices } from '../../../lib/upstream/create-upstream.ts';

/** An entry of `upstream` with every default filled in. */
export function upstreamConfig(entry: object): UpstreamConfig {
  return configSchema.parse({ upstream: [{ name: 'fake', ...entry }] }).upstream[0]!;
}

/** The entry of a fake upstream that runs as a process (see `stdio-server.ts`). */
export function stdioEntry(...args: string[]) {
  const script = fileURLToPath(new URL('stdio-server.ts', import.meta.url));
  return { transport: 'stdio', command: process.execPath, args: [script, ...args] };
}

/** The entry of one of the reference servers, as a process: `server-everything`, `server-filesystem`, `server-memory`. */
export function referenceEntry(server: string, ...args: string[]) {
  const path = new URL(`../../../node_modules/@modelcontextprotocol/${server}/dist/index.js`, import.meta.url);
  return { transport: 'stdio', command: process.execPath, args: [fileURLToPath(path), ...args] };
}

/** An upstream to be disposed of at the end of a test. */
export function connectTo(entry: object, services: Partial<UpstreamServices> = {}): Upstream & AsyncDisposable {
  const upstream = createUpstream(upstreamConfig(entry), { resolve: async (text) => text, log: silent, ...services });
  return { ...upstream, [Symbol.asyncDispose]: () => upstream.close() };
}
