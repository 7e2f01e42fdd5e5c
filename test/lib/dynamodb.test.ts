import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, type Table } from '../../lib/dynamodb.ts';
import { type FakeDynamoDb, startDynamoDb } from '../support/dynamodb.ts';

describe('the table', () => {
  let fake: FakeDynamoDb;
  let table: Table;
  beforeAll(async () => {
    fake = await startDynamoDb();
    table = createTable(fake.tableName);
  });
  afterAll(() => fake.close());

  it('gives back what was put, without absent attributes', async () => {
    const item = { pk: 'a', sk: '1', text: '', n: 1.5, yes: true, bytes: new Uint8Array([0, 255]) };
    expect(await table.put({ ...item, absent: undefined })).toEqual({ done: true });
    const read = await table.get('a', '1');
    expect({ ...read, bytes: Buffer.from(read?.['bytes'] as Uint8Array) }).toEqual({
      ...item,
      bytes: Buffer.from([0, 255]),
    });
    expect(await table.get('a', '2')).toBeUndefined();
  });

  it('puts under a condition, and tells what stood there', async () => {
    const once = { condition: 'attribute_not_exists(pk)' };
    expect(await table.put({ pk: 'b', sk: '-', n: 1 }, once)).toEqual({ done: true });
    expect(await table.put({ pk: 'b', sk: '-', n: 2 }, once)).toEqual({ done: false });
    expect(await table.put({ pk: 'b', sk: '-', n: 3 })).toEqual({ done: true, old: { pk: 'b', sk: '-', n: 1 } });
  });

  it('updates under a condition, and tells what stands there', async () => {
    const add = { expression: 'ADD #n :one', names: { '#n': 'n' }, values: { ':one': 1, ':max': 2 } };
    const condition = 'attribute_not_exists(#n) OR #n < :max';
    expect(await table.update('c', '-', { ...add, condition })).toMatchObject({ done: true, new: { n: 1 } });
    expect(await table.update('c', '-', { ...add, condition })).toMatchObject({ done: true, new: { n: 2 } });
    expect(await table.update('c', '-', { ...add, condition })).toEqual({ done: false });
  });

  it('deletes once', async () => {
    await table.put({ pk: 'd', sk: '-' });
    expect(await table.delete('d', '-', { condition: 'n = :n', values: { ':n': 1 } })).toBe(false);
    expect([await table.delete('d', '-'), await table.delete('d', '-')]).toEqual([true, false]);
  });

  it('reads every page of a partition in order', async () => {
    const body = 'x'.repeat(300_000);
    for (const sk of ['5', '3', '1', '4', '2', 'z']) await table.put({ pk: 'e', sk, body });
    await table.put({ pk: 'ee', sk: '0' });
    expect((await table.query('e')).map(({ sk }) => sk)).toEqual(['1', '2', '3', '4', '5', 'z']);
    expect((await table.query('e', { prefix: 'z' })).map(({ sk }) => sk)).toEqual(['z']);
    expect(await table.query('none')).toEqual([]);
  });
});

describe('the table, when DynamoDB is in trouble', () => {
  let answer: (response: ServerResponse, attempt: number) => void;
  let attempts = 0;
  let table: Table;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(response, ++attempts));
  });
  const reply = (response: ServerResponse, status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  };
  const fault = (type: string) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' });

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    table = createTable('gateway');
  });
  afterAll(() => new Promise<void>((done) => server.close(() => done())));

  it('tries again when throttled, and then answers', async () => {
    attempts = 0;
    answer = (response, attempt) => {
      if (attempt < 3) reply(response, 400, fault('ProvisionedThroughputExceededException'));
      else reply(response, 200, '{"Item":{"pk":{"S":"a"},"sk":{"S":"-"}}}');
    };
    expect(await table.get('a', '-')).toEqual({ pk: 'a', sk: '-' });
    expect(attempts).toBe(3);
  });

  it.each([
    ['fails', (response: ServerResponse) => reply(response, 500, '{}')],
    ['cuts the connection', (response: ServerResponse) => void response.destroy()],
    ['refuses', (response: ServerResponse) => reply(response, 400, fault('AccessDeniedException'))],
    ['answers by half', (response: ServerResponse) => reply(response, 200, '{"Item":{"pk"')],
  ])('ends in one clear error when it %s', async (_how, trouble) => {
    answer = trouble;
    await expect(table.get('a', '-')).rejects.toMatchObject({
      code: 'internal',
      message: 'The storage of this gateway does not answer at the moment; try again shortly.',
    });
  });
});
