import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';

/** Both lines of the SDK, the newer one in both eras. */
export const CLIENTS = ['sdk 1.32', 'sdk 2.4, legacy era', 'sdk 2.4, modern era'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** What tests use of a client, whichever it is. */
export interface SdkClient {
  tools(): Promise<string[]>;
  call(name: string, args: object, onProgress?: (told: { message?: string }) => void): Promise<Called>;
  /** Runs a script; gives its result as the model sees it. */
  run(args: object, onProgress?: (told: { message?: string }) => void): Promise<Record<string, unknown>>;
  session: string | undefined;
  close(): Promise<void>;
}

export interface Called {
  content: { type: string; text: string }[];
  isError?: boolean;
}

/** The secret that the tests' gateway takes tokens by. */
export const JWT_SECRET = 'a secret of the test that is long enough';

/** A session token as Open-WebUI makes it. */
export function tokenOf(id: string): Promise<string> {
  return new SignJWT({ id })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(JWT_SECRET));
}

/** Connects a client as this user; with `session`, it goes on with a session there is. */
export async function connect(name: ClientName, url: string, token: string, session?: string): Promise<SdkClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const options = { requestInit, ...(session === undefined ? {} : { sessionId: session }) };
  let client: OldClient;
  let transport: OldTransport;
  if (name === 'sdk 1.32') {
    client = new OldClient({ name, version: '1' });
    transport = new OldTransport(new URL(url), options);
  } else {
    const mode = name === 'sdk 2.4, modern era' ? { pin: '2026-07-28' } : 'legacy';
    client = new NewClient({ name, version: '1' }, { versionNegotiation: { mode } } as never) as never;
    transport = new NewTransport(new URL(url), options) as never;
  }
  await client.connect(transport as never);
  const call: SdkClient['call'] = async (tool, args, onProgress) => {
    const params = { name: tool, arguments: args as Record<string, unknown> };
    const how = onProgress && { onprogress: onProgress };
    // The older client has another argument between: the schema of the result.
    const old = client as unknown as { callTool(...all: unknown[]): Promise<Called> };
    return name === 'sdk 1.32' ? old.callTool(params, undefined, how) : old.callTool(params, how);
  };
  return {
    call,
    async tools() {
      return (await client.listTools()).tools.map((tool) => tool.name);
    },
    async run(args, onProgress) {
      return JSON.parse((await call('execute_code', args, onProgress)).content[0]?.text ?? '{}');
    },
    session: transport.sessionId,
    async close() {
      await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}
