import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { guardedBody } from '../../../functions/guarded-body.ts';

// A function that goes wrong as the event's path says: the tests' platform must tell these from an answer.

/** Enough for what has been written to leave the process. */
const SENT_MS = 300;
const ENDLESS_MS = 600_000;

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: ReadableStream;
}

async function serve({ path }: { path: string }): Promise<Answer> {
  if (path === '/before') throw new Error('before the head');
  async function* body() {
    yield 'first ';
    await sleep(SENT_MS);
    if (path === '/amid' || path === '/guarded') throw new Error('amid the body');
    if (path === '/exit') process.exit(1);
    if (path === '/endless') await sleep(ENDLESS_MS);
    yield 'last';
  }
  const stream = ReadableStream.from(body());
  return {
    statusCode: 200,
    headers: { 'content-type': 'text/plain' },
    body: path === '/guarded' ? guardedBody(stream, console.error) : stream,
  };
}

export const handler = middy<{ path: string }, Answer>({ executionMode: executionModeStreamifyResponse }).handler(
  serve,
);
