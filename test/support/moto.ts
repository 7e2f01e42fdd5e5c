import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { ANY_CREDENTIALS, createGatewayTable } from './gateway-table.ts';

const run = promisify(execFile);

/** What is installed where Python has no moto of its own, and where: a folder that `npm ci` clears away. */
const PACKAGES = ['moto[s3,dynamodb]==5.2.5', 'flask', 'flask-cors'];
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/moto', import.meta.url));
const INSTALL_MS = 120_000;
const START_MS = 30_000;

/** One request after the other: moto's own server answers in threads, and its conditional writes are not atomic there. */
const SERVER = `
import sys
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple('127.0.0.1', int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
`;

/** An AWS that others have written, for what our own stand-ins may have wrong. */
export interface Moto {
  tableName: string;
  bucket: string;
  close(): void;
}

/** Starts moto and points the AWS SDK of this process at it; tells why where there is none. */
export async function startMoto(): Promise<Moto | { skipped: string }> {
  const python = await findPython();
  if (python === undefined) return { skipped: 'no Python with moto here, and it could not be installed' };
  const port = await freePort();
  const server = spawn(python, ['-c', SERVER, String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  if (!(await answers(endpoint, server))) {
    server.kill();
    return { skipped: 'moto does not start' };
  }
  Object.assign(process.env, { AWS_ENDPOINT_URL: endpoint, ...ANY_CREDENTIALS });
  const bucket = 'bodies';
  await createBucket(bucket);
  return { tableName: await createGatewayTable(), bucket, close: () => void server.kill() };
}

async function createBucket(bucket: string): Promise<void> {
  const s3 = new S3Client({});
  await s3.send(
    new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration: { LocationConstraint: 'eu-central-1' } }),
  );
  await s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }));
}

/** A Python that has moto: the machine's, else one made for it in `FOLDER`. */
async function findPython(): Promise<string | undefined> {
  const own = join(FOLDER, 'bin', 'python');
  if (await hasMoto('python3')) return 'python3';
  if (existsSync(own) && (await hasMoto(own))) return own;
  try {
    await run('python3', ['-m', 'venv', FOLDER], { timeout: INSTALL_MS });
    await run(own, ['-m', 'pip', 'install', '--quiet', '--timeout', '10', '--retries', '1', ...PACKAGES], {
      timeout: INSTALL_MS,
    });
    return (await hasMoto(own)) ? own : undefined;
  } catch {
    return undefined;
  }
}

async function hasMoto(python: string): Promise<boolean> {
  return run(python, ['-c', 'import moto.server, flask']).then(
    () => true,
    () => false,
  );
}

async function answers(endpoint: string, server: ChildProcess): Promise<boolean> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline && server.exitCode === null; await sleep(100)) {
    const there = await fetch(`${endpoint}/moto-api/`).then(
      (response) => response.ok,
      () => false,
    );
    if (there) return true;
  }
  return false;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
