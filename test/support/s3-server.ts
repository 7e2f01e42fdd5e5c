import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { ANY_CREDENTIALS } from './gateway-table.ts';

interface ObjectVersion {
  id: string;
  /** Absent for a delete marker. */
  body?: Buffer;
  etag: string;
  type: string;
  at: Date;
}

/** What a test makes go wrong: before the request is carried out, or after it (the answer alone is lost). */
export type Fault = (request: {
  method: string;
  key: string;
}) => 'before' | 'after' | { status: number; code: string } | undefined;

/** S3's protocol in this process: path-style, one versioned bucket, conditional puts honoured, checksums checked. */
export interface FakeS3 {
  bucket: string;
  endpoint: string;
  /** Asked for every request. */
  fault: Fault | undefined;
  /** Every request carried out, as `METHOD key`. */
  requests: string[];
  /** Keys that have a present version. */
  keys(): string[];
  /** All versions of a key, oldest first; undefined stands for a delete marker. */
  versions(key: string): (string | undefined)[];
  close(): Promise<void>;
}

/** Pages of a listing are this short, so that paging is used. */
const PAGE = 3;

const xml = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Starts it and points the AWS SDK of this process at it by the environment. */
export async function startS3(bucket = 'bodies'): Promise<FakeS3> {
  const objects = new Map<string, ObjectVersion[]>();
  const present = (key: string) => {
    const last = objects.get(key)?.at(-1);
    return last?.body ? (last as ObjectVersion & { body: Buffer }) : undefined;
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://s3');
    const [, bucketName, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const method = request.method ?? '';
    const body = await readBody(request);
    const fault = fake.fault?.({ method, key });
    if (fault === 'before') return request.socket.destroy();
    if (typeof fault === 'object') return fail(response, fault.status, fault.code);
    fake.requests.push(`${method} ${key}`);
    if (fault === 'after') response.end = (() => response.destroy()) as never;
    if (bucketName !== bucket) return fail(response, 404, 'NoSuchBucket');
    if (method === 'PUT') return put(request, response, key, body);
    if (method === 'GET' && key === '') return list(response, url);
    if (method === 'GET' || method === 'HEAD')
      return get(response, key, url.searchParams.get('versionId'), method === 'HEAD');
    if (method === 'DELETE') return remove(response, key);
    return fail(response, 501, 'NotImplemented');
  }

  function put(request: IncomingMessage, response: ServerResponse, key: string, body: Buffer): ServerResponse {
    const { headers } = request;
    const now = present(key);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    const claimed = headers['x-amz-checksum-crc32'];
    if (claimed !== undefined && claimed !== sum.toString('base64')) return fail(response, 400, 'BadDigest');
    if (headers['if-none-match'] === '*' && now) return fail(response, 412, 'PreconditionFailed');
    const match = headers['if-match'];
    if (match !== undefined && !now) return fail(response, 404, 'NoSuchKey');
    if (match !== undefined && match !== now?.etag) return fail(response, 412, 'PreconditionFailed');
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const version = { id: randomUUID(), body, etag, type: headers['content-type'] ?? '', at: new Date() };
    objects.set(key, [...(objects.get(key) ?? []), version]);
    return response.writeHead(200, { etag, 'x-amz-version-id': version.id }).end();
  }

  function get(response: ServerResponse, key: string, id: string | null, headOnly: boolean): ServerResponse {
    const found = id === null ? present(key) : objects.get(key)?.find((version) => version.id === id);
    if (!found?.body) return fail(response, 404, id === null ? 'NoSuchKey' : 'NoSuchVersion');
    const { body, etag, type } = found;
    response.writeHead(200, {
      etag,
      'content-type': type,
      'content-length': body.length,
      'x-amz-version-id': found.id,
    });
    return response.end(headOnly ? undefined : body);
  }

  function remove(response: ServerResponse, key: string): ServerResponse {
    const marker = { id: randomUUID(), etag: '', type: '', at: new Date() };
    if (objects.has(key)) objects.set(key, [...objects.get(key)!, marker]);
    return response.writeHead(204, { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.id }).end();
  }

  function list(response: ServerResponse, url: URL): ServerResponse {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = fake.keys().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, PAGE);
    const more = keys.length > page.length;
    const entries = page.map((key) => {
      const { body, etag, at } = present(key)!;
      return `<Contents><Key>${xml(key)}</Key><Size>${body.length}</Size><ETag>${xml(etag)}</ETag><LastModified>${at.toISOString()}</LastModified></Contents>`;
    });
    const next = more ? `<NextContinuationToken>${xml(page.at(-1)!)}</NextContinuationToken>` : '';
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`);
  }

  function fail(response: ServerResponse, status: number, code: string): ServerResponse {
    response.writeHead(status, { 'content-type': 'application/xml' });
    return response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const fake: FakeS3 = {
    bucket,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    requests: [],
    keys: () => [...objects.keys()].filter(present).sort(),
    versions: (key) => (objects.get(key) ?? []).map((version) => version.body?.toString()),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: fake.endpoint,
    ...ANY_CREDENTIALS,
  });
  return fake;
}

/** The body without the framing the SDK may put around a streamed one (`aws-chunked`). */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  let rest = Buffer.concat(parts);
  if (!`${request.headers['content-encoding']}`.includes('aws-chunked')) return rest;
  const chunks: Buffer[] = [];
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.toString('latin1', 0, end), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + 4 + size);
  }
}
