import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunction } from '../../../infra/bundle.ts';
import { type Front, startFront } from '../../support/lambda/front.ts';
import { startRuntimeClient } from './environment.ts';
import { createFleet, type Fleet } from './fleet.ts';

describe('the platform of these tests, by a function that goes wrong', () => {
  let fleet: Fleet;
  let front: Front;
  beforeAll(async () => {
    const folder = bundleFunction('e2e-failing', { entry: 'test/e2e/lambda/failing-function.ts' });
    fleet = createFleet(() => startRuntimeClient(folder, {}), { least: 1, most: 1 });
    front = await startFront(() => fleet.next());
  });
  afterAll(async () => {
    await front?.close();
    await fleet?.close();
  });

  /** What arrived of an answer, and whether it ended well. */
  async function get(path: string) {
    const response = await fetch(`${front.url}${path}`);
    let text = '';
    let whole = true;
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece;
    } catch {
      whole = false;
    }
    return { status: response.status, text, whole };
  }

  it('gives a streamed answer on', async () => {
    expect(await get('/')).toEqual({ status: 200, text: 'first last', whole: true });
  });

  it('answers 502 for one that failed before its head', async () => {
    expect(await get('/before')).toEqual({ status: 502, text: '{"message":"Internal server error"}', whole: true });
    expect(await get('/')).toMatchObject({ whole: true });
  });

  it('keeps the environment where a guarded body fails', async () => {
    const environment = fleet.servedBy.at(-1);
    expect(await get('/guarded')).toEqual({ status: 200, text: 'first ', whole: true });
    expect(await get('/')).toMatchObject({ whole: true });
    expect(fleet.servedBy.at(-1)).toBe(environment);
  });

  it.each(['/exit', '/endless', '/amid'])(
    'breaks off where the environment ends, meets its deadline, or a bare body fails: %s',
    async (path) => {
      const environment = fleet.servedBy.at(-1);
      front.remainingMs = path === '/endless' ? 3000 : undefined;
      expect(await get(path)).toEqual({ status: 200, text: 'first ', whole: false });
      front.remainingMs = undefined;
      expect(await get('/')).toMatchObject({ whole: true });
      // A bare body's failure may end the environment or not: the runtime client races with itself.
      if (path !== '/amid') expect(fleet.servedBy.at(-1)).not.toBe(environment);
    },
  );
});
