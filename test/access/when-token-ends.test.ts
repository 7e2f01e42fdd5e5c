import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenTokenEnds } from '../../lib/access/when-token-ends.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const at = (ms: number) => ({ userId: 'ann', admin: false, tokenEndsAt: Date.now() + ms });

describe('the end of a token', () => {
  it('is told when it comes, once', () => {
    for (const ms of [1, 1000, 2 ** 31 - 1]) {
      const ended = vi.fn();
      whenTokenEnds(at(ms), Date.now, ended);
      vi.advanceTimersByTime(ms - 1);
      expect(ended, String(ms)).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(ended, String(ms)).toHaveBeenCalledOnce();
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('is told after 24 days where it is further away than a timer can wait', () => {
    for (const ms of [2 ** 31, 90 * 24 * 60 * 60 * 1000]) {
      const ended = vi.fn();
      whenTokenEnds(at(ms), Date.now, ended);
      vi.advanceTimersByTime(2 ** 31 - 2);
      expect(ended, String(ms)).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(ended, String(ms)).toHaveBeenCalledOnce();
    }
  });

  it('is told at once where it has been', () => {
    const ended = vi.fn();
    whenTokenEnds(at(-5), Date.now, ended);
    vi.advanceTimersByTime(1);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('is waited for without keeping the process alive', () => {
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo();
    const callOff = whenTokenEnds(at(60_000), Date.now, () => {});
    expect(process.getActiveResourcesInfo()).toEqual(before);
    callOff();
  });

  it('is never told of a token without one, nor when that has been called off', () => {
    const ended = vi.fn();
    const nothing = whenTokenEnds({ admin: false }, Date.now, ended);
    expect(vi.getTimerCount()).toBe(0);
    nothing();
    const callOff = whenTokenEnds(at(1000), Date.now, ended);
    callOff();
    vi.advanceTimersByTime(2000);
    expect(ended).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
