import { createServer, type IncomingMessage, type Server } from 'node:http';

/** The prefix our gateway gives to the fixture's tools and prompts. */
const PREFIX = 'fix__';

/** The gateway's own tools, learned from its lists: their names need no prefix. */
const own = new Set<string>();

/**
 * Stands before the gateway while the official suite runs: the suite knows the fixture's own names, so this adds the
 * prefix on the way in (body and `Mcp-Name`) and takes it off on the way out.
 */
export function createPrefixShim(gateway: () => string): Server {
  return createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    try {
      const body = await textOf(incoming);
      const headers = new Headers();
      for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
        const name = incoming.rawHeaders[i]!;
        // `host` and `origin` go on as they are: what the gateway makes of them is tested too.
        if (!/^(?:connection|content-length|transfer-encoding|keep-alive)$/i.test(name))
          headers.append(name, incoming.rawHeaders[i + 1]!);
      }
      const { message, renamed } = inbound(body);
      const name = headers.get('mcp-name');
      if (renamed && name !== null) headers.set('mcp-name', renamedHeader(name));
      const answer = await send(gateway(), incoming, headers, message, gone.signal);
      outgoing.writeHead(
        answer.status,
        Object.fromEntries(
          [...answer.headers].filter(
            ([key]) => key !== 'content-length' && key !== 'content-encoding' && key !== 'transfer-encoding',
          ),
        ),
      );
      outgoing.flushHeaders();
      if (!answer.body) return void outgoing.end();
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        return void outgoing.end(stripped(await answer.text()));
      }
      let rest = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
          outgoing.write(`${line.startsWith('data: {') ? `data: ${stripped(line.slice(6))}` : line}\n`);
      }
      outgoing.end(rest);
    } catch {
      outgoing.destroy();
    }
  });
}

/** `fetch` may not set `Host`; node's own client may. */
async function send(gateway: string, incoming: IncomingMessage, headers: Headers, body: string, signal: AbortSignal) {
  const { request } = await import('node:http');
  const { Readable } = await import('node:stream');
  return new Promise<Response>((resolve, reject) => {
    const out = request(
      gateway,
      { method: incoming.method ?? 'GET', headers: Object.fromEntries(headers), signal },
      (response) => {
        const status = response.statusCode ?? 502;
        const empty = status === 204 || status === 202 || status === 304;
        if (empty) response.resume();
        const own = Object.entries(response.headers).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, String(value)] as [string, string]],
        );
        resolve(new Response(empty ? null : (Readable.toWeb(response) as never), { status, headers: own }));
      },
    );
    out.on('error', reject);
    out.end(body === '' ? undefined : body);
  });
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Adds the prefix where a body names a tool or a prompt. */
function inbound(text: string): { message: string; renamed: boolean } {
  let body: { method?: string; params?: { name?: unknown; ref?: { type?: string; name?: string } } };
  try {
    body = JSON.parse(text);
  } catch {
    return { message: text, renamed: false };
  }
  const { method, params } = body;
  const named = method === 'tools/call' || method === 'prompts/get';
  if (named && typeof params?.name === 'string' && !own.has(params.name)) {
    params.name = PREFIX + params.name;
    return { message: JSON.stringify(body), renamed: true };
  }
  if (method === 'completion/complete' && params?.ref?.type === 'ref/prompt') {
    params.ref.name = PREFIX + params.ref.name;
    return { message: JSON.stringify(body), renamed: false };
  }
  return { message: text, renamed: false };
}

/** A header may be Base64 between `=?base64?` and `?=`, and have spaces around. */
function renamedHeader(value: string): string {
  const encoded = /^\s*=\?base64\?(.*)\?=\s*$/.exec(value)?.[1];
  if (encoded === undefined) return PREFIX + value.trim();
  return `=?base64?${Buffer.from(PREFIX + Buffer.from(encoded, 'base64').toString()).toString('base64')}?=`;
}

/** Takes the prefix off the names in a list. */
function stripped(text: string): string {
  let message: { result?: { tools?: { name: string }[]; prompts?: { name: string }[] } };
  try {
    message = JSON.parse(text);
  } catch {
    return text;
  }
  for (const { name } of message.result?.tools ?? []) if (!name.startsWith(PREFIX)) own.add(name);
  for (const listed of [...(message.result?.tools ?? []), ...(message.result?.prompts ?? [])]) {
    if (listed.name.startsWith(PREFIX)) listed.name = listed.name.slice(PREFIX.length);
  }
  return JSON.stringify(message);
}
