import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { afterRunning, withinRunning } from '../../src/process/budget.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a budget', () => {
  test('is over after its milliseconds, once', () => {
    const over = vi.fn();
    afterRunning(5000, over);
    vi.advanceTimersByTime(4999);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(over).toHaveBeenCalledTimes(1);
  });

  test('of a process that was stopped is not used up by that', () => {
    const over = vi.fn();
    // As timers are called after SIGCONT: once, for all that they missed.
    let missed: (() => void) | undefined;
    const real = vi.spyOn(globalThis, 'setInterval').mockImplementation(((call: () => void) => {
      missed = call;
      return 0;
    }) as never);
    afterRunning(5000, over);
    real.mockRestore();
    missed?.();
    expect(over).not.toHaveBeenCalled();
    for (let part = 0; part < 9; part += 1) missed?.();
    expect(over).toHaveBeenCalledTimes(1);
  });

  test('ends with what it is for', async () => {
    expect(await withinRunning(Promise.resolve('made'), 5000, () => 'late')).toBe('made');
    const late = withinRunning(new Promise<string>(() => {}), 5000, () => 'late');
    await vi.advanceTimersByTimeAsync(5000);
    expect(await late).toBe('late');
    expect(vi.getTimerCount()).toBe(0);
    await expect(withinRunning(Promise.reject(new Error('failed')), 5000, () => 'late')).rejects.toThrow('failed');
  });
});
