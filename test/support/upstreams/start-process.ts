import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A free loopback port; somebody else may take it before it is used. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts a Node program that listens on a port, and waits until it does. */
export async function startProcess(
  args: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = Date.now() + 30_000;
  while (
    !(await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}`);
    if (Date.now() > end) throw new Error(`Nothing listens on port ${port} after 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    async [Symbol.asyncDispose]() {
      // The whole group: bridges start servers of their own.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
