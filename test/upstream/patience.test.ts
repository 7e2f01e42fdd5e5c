import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPatience } from '../../lib/upstream/patience.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('patience with an upstream', () => {
  it('ends after its time, once', () => {
    const late = vi.fn();
    createPatience().start(100, late);
    vi.advanceTimersByTime(99);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('does not end when it is stopped', () => {
    const late = vi.fn();
    createPatience().start(100, late)();
    vi.advanceTimersByTime(1000);
    expect(late).not.toHaveBeenCalled();
  });

  it('does not count while anybody holds it, and goes on where it was', () => {
    const patience = createPatience();
    const late = vi.fn();
    patience.start(100, late);
    vi.advanceTimersByTime(60);
    const [first, second] = [patience.hold(), patience.hold()];
    vi.advanceTimersByTime(5000);
    first();
    first();
    vi.advanceTimersByTime(5000);
    second();
    vi.advanceTimersByTime(39);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('begins to count for what starts while it is held when it is let go', () => {
    const patience = createPatience();
    const late = vi.fn();
    const release = patience.hold();
    patience.start(100, late);
    vi.advanceTimersByTime(5000);
    release();
    vi.advanceTimersByTime(100);
    expect(late).toHaveBeenCalledTimes(1);
  });
});
