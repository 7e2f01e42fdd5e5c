import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';

async function attempt(hardened: boolean): Promise<Record<string, string>> {
  const worker = new Worker(new URL('./hostile-worker.ts', import.meta.url), {
    workerData: { hardened },
    env: {},
    stdout: true,
    stderr: true,
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the worker exited with ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}

describe('a hardened worker', () => {
  it('stops hostile code that runs in the worker itself', async () => {
    const results = await attempt(true);
    expect(Object.keys(results).length).toBeGreaterThan(35);
    expect(Object.entries(results).filter(([, result]) => result !== 'stopped')).toEqual([]);
  });

  it('is what stops it: in a plain worker the same code goes through', async () => {
    const results = Object.entries(await attempt(false));
    const through = results.filter(([, result]) => result === 'WORKED').map(([name]) => name);
    expect(through).toEqual(
      expect.arrayContaining(['the global process', 'Function of a method', 'a module by import']),
    );
    expect(through.length).toBeGreaterThan(20);
  });
});
